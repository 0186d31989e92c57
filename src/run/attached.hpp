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

// A program of the user's own, started as the user would: in the same folder, with the same
// variables and standard input, without a sandbox. Interrupts from the keyboard reach it by itself.
class Attached {
public:
  enum class Output {
    inherited,   // where ours goes
    to_stderr,   // all of it to our standard error: standard output is for data
    of_terminal, // to a terminal of its own, which `terminal` reads
  };
  struct Order {
    std::vector<std::string> command;
    std::map<std::string, std::string> variables; // besides ours
    int keep = -1;                                // a descriptor that it inherits under its number
    Output output = Output::inherited;
  };

  static Result<Attached> start(const Order& order);
  Attached(Attached&& other) noexcept;
  Attached& operator=(Attached&&) = delete;
  ~Attached(); // a program that still runs is killed, with what it started

  int terminal() const { return m_terminal.get(); } // does not block; -1 if it has none
  // How it ended, as a shell says it: 128 and the signal's number, or the exit status. Nothing
  // while it runs.
  std::optional<int> ended();
  void terminate(); // asks it to end
  void kill_all();  // ends it and what it started, without asking
  // Gives it a signal that reached us, unless it was sent to our process group and so has reached
  // the program too: a second one would interrupt what it does about the first.
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
