#include "base/content_digests.hpp"

#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/format.hpp"

#include <sys/stat.h>

#include <ctime>
#include <vector>

namespace faultline {

namespace fs = std::filesystem;

// Kernel timestamps are coarse, so two changes may have the same one. A file that changed this
// recently may change again unnoticed, so its digest is not kept.
constexpr time_t k_recent_seconds = 2;

static std::string status_of(const struct stat& file)
{
  return format("{} {} {} {} {}.{:09} {}.{:09}",
                file.st_dev,
                file.st_ino,
                file.st_mode,
                file.st_size,
                file.st_mtim.tv_sec,
                file.st_mtim.tv_nsec,
                file.st_ctim.tv_sec,
                file.st_ctim.tv_nsec);
}

std::string ContentDigests::of_file(const fs::path& path)
{
  struct stat before = {};
  if (stat(path.c_str(), &before) != 0) {
    return "absent";
  }
  if (!S_ISREG(before.st_mode)) { // reading a pipe would block forever
    return "no file";
  }
  const std::string status = status_of(before);
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_files.find(path.string());
    if (known != m_files.end() && known->second.status == status) {
      return known->second.digest;
    }
  }
  const Result<std::string> content = read_file(path);
  if (!content) {
    return "unreadable";
  }
  Digest digest;
  digest.add(*content).add((before.st_mode & S_IXUSR) != 0 ? 1 : 0);
  const std::string hex = digest.hex();
  struct stat after = {};
  const bool is_settled = stat(path.c_str(), &after) == 0 && status_of(after) == status &&
                          before.st_ctim.tv_sec + k_recent_seconds < std::time(nullptr);
  const std::lock_guard lock(m_mutex);
  if (is_settled) {
    m_files[path.string()] = {status, hex};
  } else {
    m_files.erase(path.string());
  }
  return hex;
}

std::string ContentDigests::of_folder(const fs::path& folder)
{
  std::map<std::string, std::string> entries; // sorted, unlike directory listings
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    const fs::path& path = at->path();
    const fs::path name = path.filename();
    std::error_code unknown;
    if (name == "__pycache__" || name == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    std::string& content = entries[path.lexically_relative(folder).generic_string()];
    if (at->is_symlink(unknown)) {
      content = "link to " + fs::read_symlink(path, unknown).string() + ": ";
    }
    // A folder is identified by its contents. Links to folders are not followed, since they may
    // form a cycle.
    content += fs::is_directory(path, unknown) ? "folder" : of_file(path);
  }
  Digest digest;
  digest.add("folder").add(code ? code.message() : "");
  for (const auto& [name, content] : entries) {
    digest.add(name).add(content);
  }
  return digest.hex();
}

std::string ContentDigests::of(const fs::path& path)
{
  std::error_code code;
  return fs::is_directory(path, code) ? of_folder(path) : of_file(path);
}

} // namespace faultline
