#pragma once

#include "base/result.hpp"

#include <sys/types.h>

namespace faultline::run {

// Tells whether a signal that reached us was sent to our whole process group, as a terminal does at
// Ctrl-C, or to us alone, as `kill` does. The kernel does not say. So an idle process of our group
// holds signals back: those that wait for it in /proc are the ones that all of the group got.
class GroupWitness {
public:
  static Result<GroupWitness> start();
  GroupWitness(GroupWitness&& other) noexcept;
  GroupWitness& operator=(GroupWitness&&) = delete;
  ~GroupWitness();

  bool has_seen(int signal) const; // ever

private:
  explicit GroupWitness(pid_t pid) : m_pid(pid) {}

  pid_t m_pid = 0;
};

} // namespace faultline::run
