#include "provision/step_run.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/fd.hpp"
#include "run/interrupt.hpp"
#include "run/spawn.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace faultline::provision {

namespace fs = std::filesystem;

// Tells the processes of a build from all others.
constexpr const char* k_mark = "FAULTLINE_BUILDING";

// Lines of the log that a message may quote.
constexpr size_t k_most_quoted = 3;

// What the command itself said last that is more than a frame of a traceback.
static std::string last_words(const fs::path& log, uintmax_t from)
{
  const Result<std::string> text = read_file(log);
  std::vector<std::string> said;
  if (text && text->size() > from) {
    for (const std::string_view line : split_lines(std::string_view(*text).substr(from))) {
      if (!trim(line).empty() && !line.starts_with(' ')) {
        said.emplace_back(trim(line));
      }
    }
  }
  // pip's own advice, and its retries, come after or before what matters.
  const auto matters = [](const std::string& line) {
    return line.starts_with("ERROR") || line.starts_with("E:") || line.starts_with("error") ||
           line.find("No space left") != std::string::npos;
  };
  std::vector<std::string> errors;
  std::ranges::copy_if(said, std::back_inserter(errors), matters);
  const std::vector<std::string>& best = errors.empty() ? said : errors;
  const size_t first = best.size() > k_most_quoted ? best.size() - k_most_quoted : 0;
  return join(std::span(best).subspan(first), "; ");
}

Result<void> run_step(const environment::Step& step,
                      const fs::path& log,
                      const fs::path& mark,
                      const std::function<void()>& on_wait)
{
  std::error_code code;
  const uintmax_t before = fs::exists(log, code) ? fs::file_size(log, code) : 0;
  const run::Fd output(open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644));
  if (!output) {
    return Error{ErrorKind::io, format("cannot write {}", log.string())};
  }
  setenv(k_mark, mark.c_str(), 1);
  Result<pid_t> started = run::spawn(step.command, output.get(), {});
  unsetenv(k_mark);
  if (!started) {
    return std::move(started).error().in(step.title);
  }
  const pid_t pid = *started;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (run::interrupted()) {
      kill(-pid, SIGKILL); // it leads a session of its own
      waitpid(pid, nullptr, 0);
      end_leftovers(mark);
      return Error{ErrorKind::machine,
                   format("{}: interrupted; what was fetched is kept, repeat the command to go on",
                          step.title)};
    }
    on_wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return {};
  }
  const std::string said = last_words(log, before);
  const std::string reason = !said.empty()         ? said
                             : WIFSIGNALED(status) ? format("killed by signal {}", WTERMSIG(status))
                                                   : format("exit status {}", WEXITSTATUS(status));
  return Error{ErrorKind::machine,
               format("cannot {}: {} (all of it: {}; what was fetched is kept, repeat the command "
                      "to go on)",
                      step.title,
                      reason,
                      log.string())};
}

void end_leftovers(const fs::path& mark)
{
  const std::string wanted = format("{}={}", k_mark, mark.string());
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", code)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size() || pid == getpid()) {
      continue;
    }
    const Result<std::string> variables = read_file(entry.path() / "environ");
    if (variables && std::ranges::any_of(split(*variables, '\0'), [&](std::string_view variable) {
          return variable == wanted;
        })) {
      kill(pid, SIGKILL);
    }
  }
}

} // namespace faultline::provision
