#pragma once

#include "catalog/fault.hpp"
#include "run/outcome.hpp"

#include <optional>
#include <string>

namespace faultline::proof {

enum class Verdict {
  pass,
  fail,
  none, // the machine failed, or we were interrupted: nothing is known of the program
};

// What one run of a fault's test says about the program.
struct Judgement {
  Verdict verdict = Verdict::none;
  std::optional<double> metric; // of a statistical oracle
  std::string why;              // one line
};

// Judges by the report that the test wrote; a program cannot pass by ending the test or by printing
// what a test would print.
Judgement judge(const catalog::Fault& fault, const run::RunOutcome& outcome);

// The last line of a log that is not blank, for messages.
std::string last_line(const std::string& log);

std::string_view name_of(Verdict verdict);

} // namespace faultline::proof
