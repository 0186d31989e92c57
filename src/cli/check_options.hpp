#pragma once

#include "check/checker.hpp"
#include "cli/arguments.hpp"
#include "cli/session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace faultline::cli {

// The options of `faultline check`.
struct CheckOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  check::Options check;
  std::string severity; // empty: that of the configuration, or the default of the format
  std::string output;
  std::string stdin_name = "stdin.py";
  bool no_config = false;
  bool fix = false;
  bool unsafe = false;
  bool diff = false;
  bool statistics = false;
  bool explain_model = false;
};

std::shared_ptr<CheckOptions> add_check_options(Arguments& arguments);

// Fails if the options contradict each other.
Result<void> check_consistency(const CheckOptions& options);

// The files to check, each with its configuration.
struct CheckSubjects {
  std::vector<check::Subject> all;
  std::vector<check::Unreadable> unreadable;
  std::unique_ptr<check::ConfigFinder> configs;
};

Result<CheckSubjects> find_subjects(const CheckOptions& options);

} // namespace faultline::cli
