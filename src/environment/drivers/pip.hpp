#pragma once

#include "environment/driver.hpp"

#include <string>
#include <vector>

namespace faultline::environment {

// Fetch what lock.txt names and install it with the interpreter `python`, which is that of the
// environment. What has been fetched stays in `site.downloads`.
std::vector<Step>
pip_steps(const Description& description, const Site& site, const std::string& python);

// Why pip cannot install it: there is no lock.txt; empty if it can.
std::string needs_lock(const Description& description);

} // namespace faultline::environment
