// Where the probe begins and ends: before main, at exit, at an exception that nobody catches.

#include "operators.hpp"
#include "recorder.hpp"
#include "settings.hpp"

#include <cxxabi.h>
#include <pthread.h>

#include <cstdlib>
#include <exception>

namespace faultline_watch {

namespace {

constexpr int k_aborted = 134; // 128 + SIGABRT, as a shell says it
std::terminate_handler s_before = nullptr;

void terminated()
{
  if (recorder().is_on()) {
    const Stack stack = program_stack(); // an exception that nobody catches unwinds nothing
    if (const std::exception_ptr flying = std::current_exception()) {
      const std::type_info* type = abi::__cxa_current_exception_type();
      const std::string name = type == nullptr ? "" : readable(type->name());
      try {
        std::rethrow_exception(flying);
      } catch (const c10::Error& error) {
        recorder().crashed(name, error.what_without_backtrace(), stack);
      } catch (const std::exception& error) {
        recorder().crashed(name, error.what(), stack);
      } catch (...) {
        recorder().crashed(name, "", stack);
      }
    }
    recorder().end(k_aborted);
  }
  s_before();
}

void at_exit(int status, void*)
{
  recorder().end(status);
}

// What the program starts in turn is not watched.
void hide()
{
  unsetenv("FAULTLINE_WATCH_FD");
  const char* preloaded = std::getenv("LD_PRELOAD");
  const std::string others = preloaded == nullptr ? "" : preloaded;
  const size_t colon = others.find(':'); // this library is the first
  if (colon == std::string::npos) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", others.c_str() + colon + 1, 1);
  }
}

__attribute__((constructor)) void attach()
{
  const char* descriptor = std::getenv("FAULTLINE_WATCH_FD");
  if (descriptor == nullptr || *descriptor == '\0') {
    return;
  }
  const char* every = std::getenv("FAULTLINE_WATCH_EVERY");
  recorder().begin(std::atoi(descriptor),
                   every == nullptr ? 0 : static_cast<uint32_t>(std::max(0, std::atoi(every))));
  hide();
  pthread_atfork(nullptr, nullptr, [] { recorder().in_child(); });
  s_before = std::set_terminate(terminated);
  on_exit(at_exit, nullptr);
  watch_operators();
}

} // namespace

} // namespace faultline_watch
