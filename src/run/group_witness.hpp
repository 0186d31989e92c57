#pragma once

#include "base/result.hpp"

#include <sys/types.h>

namespace faultline::run {

// Tells whether a signal that reached us was sent to our whole process group, as a terminal does at
// Ctrl-C, or to us alone, as `kill` does. The kernel does not say. So an idle process of our group
// blocks signals: those that are pending for it in /proc were sent to the whole group.
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
