#pragma once

#include "base/file.hpp"
#include "base/toml.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::catalog {

// What tools/new-fault has left for its author to write: keys of fault.toml by their full name
// ("labels.type") and names of files. A value, or a comment of a file, that is only "…" is still to
// be written, and so is a patch that is not there.
std::vector<std::string> unwritten(const toml::table& table, const std::filesystem::path& folder);

} // namespace faultline::catalog
