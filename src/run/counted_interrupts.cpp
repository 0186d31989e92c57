#include "run/counted_interrupts.hpp"

#include <unistd.h>

#include <atomic>
#include <ctime>

namespace faultline::run {

namespace {

constexpr long k_same_milliseconds = 200;
constexpr int k_last_count = 3;

std::atomic<int> g_count = 0;
std::atomic<int> g_signal = 0;
std::atomic<long> g_milliseconds = 0; // time of the last one

// Only async-signal-safe calls.
void on_signal(int number)
{
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const long now = time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
  if (g_count > 0 && now - g_milliseconds < k_same_milliseconds) {
    return;
  }
  g_milliseconds = now;
  g_signal = number;
  if (++g_count >= k_last_count) {
    _exit(130);
  }
}

} // namespace

CountedInterrupts::CountedInterrupts()
{
  g_count = 0;
  g_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART; // writes in progress are not cut short
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &m_old_interrupt);
  sigaction(SIGTERM, &action, &m_old_terminate);
}

CountedInterrupts::~CountedInterrupts()
{
  sigaction(SIGINT, &m_old_interrupt, nullptr);
  sigaction(SIGTERM, &m_old_terminate, nullptr);
}

int CountedInterrupts::count() const
{
  return g_count;
}

int CountedInterrupts::signal() const
{
  return g_signal;
}

} // namespace faultline::run
