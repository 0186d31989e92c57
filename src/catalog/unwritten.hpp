#pragma once

#include "base/file.hpp"
#include "base/toml.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::catalog {

// Whether a program or a test has a comment that is only "…", where something is to be written.
bool has_blank_line(std::string_view text);

// What tools/new-fault has left for its author to write: keys of fault.toml whose value is "…", by
// their full name ("labels.type"), and then also files with such a line and a patch that is not
// there. Nothing if fault.toml is filled in: the rest is looked at when it is read.
std::vector<std::string> unwritten(const toml::table& table, const std::filesystem::path& folder);

} // namespace faultline::catalog
