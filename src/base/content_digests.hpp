#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace faultline {

// What files and folders contain, as digests. A file is read again only when its status says that
// it may have changed: its inode, size, time of writing, or time of the last change of any kind,
// which no program can set back. Safe to use from several threads.
class ContentDigests {
public:
  // Of a file; or of a folder: the paths, contents and permissions to execute of all files below
  // it, and where symbolic links lead. Left out are `__pycache__` and `.git`, which tools write to
  // without becoming other tools. Something else than a file or folder, or nothing at all, has a
  // digest too.
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
