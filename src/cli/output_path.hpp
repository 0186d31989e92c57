#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string_view>

namespace faultline::cli {

// Checks whether the file of an option can be written, before hours of work that would be lost
// otherwise. Creates missing folders, leaves nothing else behind and does not touch what exists.
Result<void> check_writable(std::string_view option, const std::filesystem::path& path);

} // namespace faultline::cli
