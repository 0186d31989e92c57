#pragma once

#include "base/file.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::cli {

// The text of a program that variants can be made of. An error says why not: it cannot be read, is
// no text, or is not valid Python, and then where.
Result<std::string> read_program(const std::filesystem::path& path);

// The Python files of `files` that are not valid Python, each as "a.py:3".
std::vector<std::string> broken_programs(const FileTree& files);

} // namespace faultline::cli
