#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string_view>

namespace faultline::cli {

// Whether a file can be written where an option says, asked before hours of work that would be lost
// otherwise. Missing folders are made; nothing else is left behind, and what is there stays.
Result<void> check_writable(std::string_view option, const std::filesystem::path& path);

} // namespace faultline::cli
