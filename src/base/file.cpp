#include "base/file.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace faultline {

namespace fs = std::filesystem;

static Error io_error(std::string_view doing, const fs::path& path)
{
  return {errno == ENOENT ? ErrorKind::not_found : ErrorKind::io,
          format("cannot {} {}: {}", doing, path.string(), std::strerror(errno))};
}

Result<std::string> read_file(const fs::path& path)
{
  std::error_code code;
  if (fs::is_directory(path, code)) {
    return Error{ErrorKind::io, format("cannot read {}: it is a directory", path.string())};
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return io_error("read", path);
  }
  std::ostringstream content;
  content << in.rdbuf();
  if (in.bad()) {
    return io_error("read", path);
  }
  return std::move(content).str();
}

// Whether all of it was written; otherwise errno says why.
static bool write_all(int fd, std::string_view content)
{
  while (!content.empty()) {
    const ssize_t n = write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    content.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

Result<void> write_file(const fs::path& path, std::string_view content)
{
  std::error_code code;
  fs::create_directories(path.parent_path(), code);
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = mkstemp(temporary.data());
  if (fd < 0) {
    return io_error("write", path);
  }
  const bool good = fchmod(fd, 0644) == 0 && write_all(fd, content);
  const int failure = errno;
  close(fd);
  if (good && rename(temporary.c_str(), path.c_str()) == 0) {
    return {};
  }
  errno = good ? errno : failure;
  Error error = io_error("write", path);
  unlink(temporary.c_str());
  return error;
}

Result<void> write_output(const fs::path& path, std::string_view content)
{
  std::error_code code;
  const fs::file_status status = fs::symlink_status(path, code);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) {
    return write_file(path, content);
  }
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) {
    return io_error("write", path);
  }
  const bool good = write_all(fd, content);
  const int failure = errno;
  close(fd);
  errno = failure;
  return good ? Result<void>() : io_error("write", path);
}

Result<FileTree> read_tree(const fs::path& root)
{
  std::error_code code;
  if (!fs::is_directory(fs::symlink_status(root, code))) {
    return Error{ErrorKind::not_found, format("{} is not a directory", root.string())};
  }
  FileTree files;
  fs::recursive_directory_iterator it(root, code);
  for (; !code && it != fs::end(it); it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (it->is_symlink()) {
      return Error{ErrorKind::bad_data, format("{} is a symbolic link", it->path().string())};
    }
    if (name.starts_with('.') || name == "__pycache__") {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file()) {
      FL_TRY(std::string content, read_file(it->path()));
      files.emplace(fs::relative(it->path(), root).generic_string(), std::move(content));
    }
  }
  if (code) {
    return Error{ErrorKind::io, format("cannot read {}: {}", root.string(), code.message())};
  }
  return files;
}

Result<void> write_tree(const fs::path& root, const FileTree& files)
{
  std::error_code code;
  fs::create_directories(root, code);
  for (const auto& [path, content] : files) {
    FL_CHECK(write_file(root / path, content));
  }
  return {};
}

bool is_inner_path(std::string_view path)
{
  if (path.empty() || path.starts_with('/') || path.find('\0') != std::string_view::npos) {
    return false;
  }
  const std::vector<std::string_view> steps = split(path, '/');
  return std::ranges::none_of(
      steps, [](std::string_view step) { return step.empty() || step == "." || step == ".."; });
}

Result<TempDir> TempDir::create()
{
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "faultline-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return io_error("create", name);
  }
  return TempDir(name);
}

TempDir::TempDir(TempDir&& other) noexcept : m_path(std::move(other.m_path))
{
  other.m_path.clear();
}

TempDir& TempDir::operator=(TempDir&& other) noexcept
{
  std::swap(m_path, other.m_path);
  return *this;
}

TempDir::~TempDir()
{
  if (!m_path.empty()) {
    std::error_code code;
    fs::remove_all(m_path, code);
  }
}

} // namespace faultline
