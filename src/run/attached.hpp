#pragma once

#include "base/result.hpp"
#include "run/fd.hpp"
#include "run/group_witness.hpp"

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::run {

// A program of the user, started as the user would: in the same folder, with the same variables and
// standard input, without a sandbox. Keyboard interrupts reach it directly.
class Attached {
public:
  enum class Output {
    inherited,   // to where ours goes
    to_stderr,   // all of it to our standard error: standard output is for data
    of_terminal, // to a terminal of its own, which is read through `terminal`
  };
  struct Order {
    std::vector<std::string> command;
    std::map<std::string, std::string> variables; // besides ours
    int keep = -1; // a descriptor that it inherits under the same number
    Output output = Output::inherited;
  };

  static Result<Attached> start(const Order& order);
  Attached(Attached&& other) noexcept;
  Attached& operator=(Attached&&) = delete;
  ~Attached(); // kills a program that still runs, and what it started

  int terminal() const { return m_terminal.get(); } // does not block; -1 if it has none
  // Its status as in a shell: the exit status, or 128 plus the number of the signal. Nothing while
  // it runs.
  std::optional<int> ended();
  void terminate(); // asks it to end
  void kill_all();  // ends it and what it started, without asking
  // Passes on a signal that we received, unless it was sent to our whole process group and so has
  // reached the program too: a second one would interrupt its handling of the first.
  void pass_on(int signal);

private:
  Attached(pid_t pid, Fd terminal, GroupWitness witness)
      : m_pid(pid), m_terminal(std::move(terminal)), m_witness(std::move(witness))
  {
  }

  pid_t m_pid = 0;
  Fd m_terminal;
  GroupWitness m_witness;
  std::optional<int> m_status;
};

} // namespace faultline::run
