#pragma once

#include "catalog/filter.hpp"
#include "cli/arguments.hpp"
#include "cli/session.hpp"

#include <memory>
#include <vector>

namespace faultline::cli {

// The options with which commands select faults.
struct FilterOptions {
  catalog::Filter filter;
  std::map<std::string, std::vector<std::string>> labels;
  std::string split;
  std::vector<std::string> environments;
  std::string framework_version;
  std::string python;
  bool silent = false;
  bool loud = false;
  std::vector<Option> all;

  // The options that the user gave, in the order of the help.
  std::vector<Option> given() const;
  // The same as a user would type them: " --split dev --silent", or nothing.
  std::string words() const;
};

std::shared_ptr<FilterOptions> add_filter_options(Arguments& arguments);

Result<std::vector<const catalog::Fault*>> selected_faults(Session& session,
                                                           FilterOptions& options);

} // namespace faultline::cli
