#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace faultline::study {

// Takes files one after the other, each in pieces, so that none has to fit into memory.
class FileSink {
public:
  virtual ~FileSink() = default;

  virtual void begin(std::string_view path) = 0; // inside of the archive or folder, with "/"
  virtual void take(std::string_view piece) = 0;
  virtual void end() = 0;
};

// Every regular file of a tar archive, plain or compressed with zstd. An archive that stops early
// is an error, after the files before that place.
Result<void> read_archive(const std::filesystem::path& path, FileSink& sink);

// The same of the files below `folder` of `root`, named from the root, in the order of their paths.
// Links are not followed.
Result<void>
read_folder(const std::filesystem::path& root, const std::string& folder, FileSink& sink);

} // namespace faultline::study
