#pragma once

#include "base/result.hpp"
#include "environment/built.hpp"
#include "environment/driver.hpp"

#include <filesystem>
#include <string>

namespace faultline::provision {

// A Python of the version "3.11" on this machine that can make virtual environments.
Result<std::string> find_interpreter(const std::string& version);

bool is_on_path(const std::string& program);

// Ask the environment's own Python what is in it, and fill in `built`.
Result<void> describe(environment::Layout layout,
                      const std::filesystem::path& probes,
                      environment::Built& built);

// "package=version" of everything that Debian installed below `root`, one a line, sorted.
Result<std::string> debian_packages(const std::filesystem::path& root);

} // namespace faultline::provision
