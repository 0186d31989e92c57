#pragma once

#include "base/file.hpp"
#include "base/result.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace faultline::campaign {

// File → lines that were executed.
using CoveredLines = std::map<std::string, std::set<size_t>>;

// What coverage.py recorded: its .coverage file (SQLite) or the JSON that `coverage json` writes.
// Paths are as recorded. The file is not changed.
Result<CoveredLines> read_coverage(const std::filesystem::path& file);

// The same for the files of a program or library: those in `recorded` that are folder/path; if
// none is, those that end in path, as when the program was moved. A statement that goes over
// several lines is covered as a whole, though only its first line is recorded.
CoveredLines covered_lines_of(const CoveredLines& recorded,
                              const FileTree& files,
                              const std::filesystem::path& folder);

} // namespace faultline::campaign
