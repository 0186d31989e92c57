#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace faultline {

// Digests of the contents of files and folders. A file is read again only if its inode, size, mtime
// or ctime has changed; no program can set back the ctime. Safe to use from several threads.
class ContentDigests {
public:
  // The digest of a file or a folder. That of a folder covers the paths, contents and permissions
  // to execute of all files below it, and where symbolic links lead. Left out are `__pycache__` and
  // `.git`, which tools write to without changing themselves. Anything else, even a missing file,
  // has a digest too.
  std::string of(const std::filesystem::path& path);

private:
  struct Known {
    std::string status;
    std::string digest;
  };

  std::string of_file(const std::filesystem::path& path);
  std::string of_folder(const std::filesystem::path& folder);

  std::mutex m_mutex;
  std::map<std::string, Known> m_files;
};

} // namespace faultline
