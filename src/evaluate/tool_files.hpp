#pragma once

#include "evaluate/tool.hpp"
#include "run/environment.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace faultline::evaluate {

// Where a name of a tool's `requires` or `folders` is on this machine: a path, absolute or below
// the project's folder, or a program in the PATH of the sandbox. Nothing if it is not there.
std::optional<std::filesystem::path> found_on_machine(const std::string& name,
                                                      const run::Environment& environment);

// Every file and folder of the machine that the description names: `requires`, `folders`, programs
// and absolute paths of files in `command` and `version`, also inside a line of sh. Sorted, each
// once.
std::vector<std::filesystem::path> files_of(const Tool& tool, const run::Environment& environment);

} // namespace faultline::evaluate
