#include "cli/output_path.hpp"

#include "base/format.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace faultline::cli {

namespace fs = std::filesystem;

// Empty if a file can be created in the folder, otherwise the reason. It has to be tried: a full or
// read-only file system or a quota shows only then.
static std::string try_folder(const fs::path& folder)
{
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    return code.message();
  }
  std::string trial = (folder / ".faultline.XXXXXX").string();
  const int fd = mkstemp(trial.data());
  if (fd < 0) {
    return std::strerror(errno);
  }
  close(fd);
  unlink(trial.c_str());
  return {};
}

static std::string folder_of(const fs::path& file)
{
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

// Empty if it can be written, otherwise the reason.
static std::string try_path(const fs::path& path)
{
  std::error_code code;
  const fs::file_status status = fs::status(path, code); // of what a link leads to
  if (fs::is_directory(status) || !path.has_filename()) {
    return std::strerror(EISDIR);
  }
  // A pipe must not be opened just to try: its reader would see the end.
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) {
    return std::strerror(errno);
  }
  const bool is_link = fs::is_symlink(fs::symlink_status(path, code));
  if (!fs::exists(status)) {
    return try_folder(folder_of(is_link ? fs::weakly_canonical(path, code) : path));
  }
  // A plain file is replaced by a new one in its folder; anything else is written to.
  return fs::is_regular_file(status) && !is_link ? try_folder(folder_of(path)) : std::string();
}

Result<void> check_writable(std::string_view option, const fs::path& path)
{
  if (path.empty()) {
    return {};
  }
  const std::string reason = try_path(path);
  if (!reason.empty()) {
    return Error{ErrorKind::usage,
                 format("{}: cannot write {}: {}", option, path.string(), reason)};
  }
  return {};
}

} // namespace faultline::cli
