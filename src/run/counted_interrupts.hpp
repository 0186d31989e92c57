#pragma once

#include <csignal>

namespace faultline::run {

// While such an object lives, SIGINT and SIGTERM are only counted: they are meant for a program
// that runs under us, and the code that follows it decides what to do. The third ends us at once.
// Two within a fifth of a second count as one: `timeout` signals the process and then its group.
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
