#pragma once

// The files of the project's own source, for tests that hold it to its structure.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace faultline {

// Those below `folder` with this ending, as paths below it without the ending: "torch/device_mix".
inline std::set<std::string> stems_below(const std::filesystem::path& folder,
                                         std::string_view ending)
{
  std::set<std::string> stems;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension().string() == ending) {
      stems.insert(entry.path().lexically_relative(folder).replace_extension().generic_string());
    }
  }
  return stems;
}

} // namespace faultline
