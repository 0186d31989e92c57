#include "run/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace faultline::run {

static std::atomic<bool> g_interrupted = false;

static void on_signal(int)
{
  if (g_interrupted.exchange(true)) {
    _exit(130);
  }
}

void catch_interrupts()
{
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted()
{
  return g_interrupted.load();
}

} // namespace faultline::run
