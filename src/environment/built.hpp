#pragma once

#include "base/result.hpp"
#include "environment/description.hpp"
#include "environment/driver.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::environment {

// An environment that has been built: its folder and what was found in it. The record of this is
// written last, so a folder without it is not one.
struct Built {
  std::filesystem::path folder;
  std::string driver;
  std::string python;                          // version
  std::string content;                         // digest of its manifest
  std::map<std::string, std::string> packages; // everything installed
  std::string base;     // state of the interpreter that a virtual environment was made of
  std::string libtorch; // version, where there are its headers and a compiler
  std::string compiler; // version of g++
  uint64_t bytes = 0;
  uint64_t downloaded_bytes = 0;
  double seconds = 0;
  std::string date;
};

// Where environments are kept: $FAULTLINE_ENVIRONMENTS, or a folder of the user's cache. Their
// names hold the digest of what they are made of, so several projects may share the folder.
Result<std::filesystem::path> environments_folder();

// Where `description` is kept there when it is built.
std::filesystem::path folder_of(const Description& description,
                                const std::filesystem::path& environments);

// What fetched packages are kept in.
std::filesystem::path downloads_folder(const std::filesystem::path& environments);

// Nothing if the environment is not built, or no longer what was built: its Python was replaced.
std::optional<Built> find_built(const Description& description,
                                const std::filesystem::path& environments);

Result<void> write_record(const Built& built);
std::optional<Built> read_record(const std::filesystem::path& folder);

// The state of the interpreter outside of the environment that `bin/python3` leads to: path, size
// and time; empty if there is none.
std::string base_of(const std::filesystem::path& folder);

// A line for each file of an environment, "path digest", sorted. What differs between two builds
// shows in it. Left out is what names the folder itself or the time: scripts, pyvenv.cfg, RECORD,
// caches.
std::string manifest_of(const std::filesystem::path& folder);

// Where the manifest is kept in the folder.
inline constexpr std::string_view k_manifest_file = "faultline.manifest";

inline constexpr std::string_view k_record_file = "faultline.json";

// The paths of the files that differ between two manifests.
std::vector<std::string> differing(std::string_view before, std::string_view after);

// Of two lists of lines "package=version", what differs: "numpy 2.2 (was 2.1)".
std::vector<std::string> differing_packages(std::string_view before, std::string_view after);

} // namespace faultline::environment
