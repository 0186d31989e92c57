#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// The files of a small directory tree: path with "/" relative to its root → content.
using FileTree = std::map<std::string, std::string>;

Result<std::string> read_file(const std::filesystem::path& path);

// Replace `path` atomically: readers see the old content or the new, even after a crash.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// Like write_file, for a path that a user gave: an existing device, pipe or link is written to, not
// replaced.
Result<void> write_output(const std::filesystem::path& path, std::string_view content);

// Regular files below `root`. A symbolic link is an error: a tree must not reach outside itself.
// `__pycache__` and names that start with a dot are left out.
Result<FileTree> read_tree(const std::filesystem::path& root);

Result<void> write_tree(const std::filesystem::path& root, const FileTree& files);

// A relative path that stays inside the directory it is relative to.
bool is_inner_path(std::string_view path);

// A directory that is removed with this object.
class TempDir {
public:
  static Result<TempDir> create();

  TempDir(TempDir&& other) noexcept;
  TempDir& operator=(TempDir&& other) noexcept;
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  const std::filesystem::path& path() const { return m_path; }

private:
  explicit TempDir(std::filesystem::path path) : m_path(std::move(path)) {}

  std::filesystem::path m_path;
};

} // namespace faultline
