#pragma once

#include <filesystem>

namespace faultline {

// A lock between processes on a file, which is made if need be; held as long as this object lives.
class FileLock {
public:
  // Waits until nobody else has it.
  explicit FileLock(const std::filesystem::path& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  // Whether somebody has the lock on that file now.
  static bool is_held(const std::filesystem::path& path);

private:
  int m_fd;
};

} // namespace faultline
