#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace faultline::provision {

// What the files below `folder` take up; 0 if there is none.
uint64_t bytes_below(const std::filesystem::path& folder);

// "812 MB", "1.6 GB".
std::string print_size(uint64_t bytes);

} // namespace faultline::provision
