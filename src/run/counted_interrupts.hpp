#pragma once

#include <csignal>

namespace faultline::run {

// While one of these lives, SIGINT and SIGTERM are counted and end nothing: they are meant for a
// program that runs under us, and who follows it decides what they do. The third ends us at once.
// Two within a fifth of a second are one: `timeout` sends to the process and then to its group.
class CountedInterrupts {
public:
  CountedInterrupts();
  ~CountedInterrupts();
  CountedInterrupts(const CountedInterrupts&) = delete;
  CountedInterrupts& operator=(const CountedInterrupts&) = delete;

  int count() const;
  int signal() const; // the last one; 0 if there was none

private:
  struct sigaction m_old_interrupt {};
  struct sigaction m_old_terminate {};
};

} // namespace faultline::run
