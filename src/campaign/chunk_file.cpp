#include "campaign/chunk_file.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace faultline::campaign {

namespace fs = std::filesystem;

static constexpr std::string_view k_done = R"({"done":true})";

static Error problem(const fs::path& path, std::string_view what)
{
  return {ErrorKind::io, format("{}: {}: {}", path.string(), what, std::strerror(errno))};
}

// Only what a line feed ends is complete.
static ChunkContent content_of(std::string_view text)
{
  ChunkContent content;
  const size_t last = text.rfind('\n');
  if (last == std::string_view::npos) {
    return content;
  }
  for (const std::string_view line : split_lines(text.substr(0, last))) {
    if (line == k_done) {
      content.done = true;
    } else if (!line.empty()) {
      content.lines.emplace_back(line);
    }
  }
  return content;
}

fs::path chunk_path(const fs::path& folder, size_t chunk)
{
  return folder / "chunks" / format("{}.jsonl", chunk);
}

Result<ChunkContent> read_chunk(const fs::path& folder, size_t chunk)
{
  const fs::path path = chunk_path(folder, chunk);
  std::error_code code;
  if (!fs::exists(path, code)) {
    return ChunkContent{};
  }
  FL_TRY(const std::string text, read_file(path));
  return content_of(text);
}

Result<ChunkFile> ChunkFile::open(const fs::path& folder, size_t chunk)
{
  const fs::path path = chunk_path(folder, chunk);
  std::error_code code;
  fs::create_directories(path.parent_path(), code);
  run::Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0644));
  if (fd.get() < 0) {
    return problem(path, "cannot open");
  }
  // A lock of this kind holds across the machines of a network file system, and goes with this
  // object or the process.
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  while (fcntl(fd.get(), F_OFD_SETLKW, &lock) != 0) {
    if (errno != EINTR) {
      return problem(path, "cannot lock");
    }
  }
  std::string text;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer, sizeof buffer)) != 0;) {
    if (n < 0) {
      return problem(path, "cannot read");
    }
    text.append(buffer, static_cast<size_t>(n));
  }
  const size_t last = text.rfind('\n');
  const size_t complete = last == std::string::npos ? 0 : last + 1;
  if (complete != text.size() && ftruncate(fd.get(), static_cast<off_t>(complete)) != 0) {
    return problem(path, "cannot cut off half a line");
  }
  ChunkFile file(path, std::move(fd));
  ChunkContent content = content_of(text);
  file.m_lines = std::move(content.lines);
  file.m_done = content.done;
  return file;
}

Result<void> ChunkFile::append(std::string_view line)
{
  const std::string text = std::string(line) + "\n";
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(m_file.get(), text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) {
      return problem(m_path, "cannot write");
    }
    written += n > 0 ? static_cast<size_t>(n) : 0;
  }
  if (fsync(m_file.get()) != 0) {
    return problem(m_path, "cannot make it safe on disk");
  }
  return {};
}

Result<void> ChunkFile::finish()
{
  if (!m_done) {
    FL_CHECK(append(k_done));
    m_done = true;
  }
  return {};
}

} // namespace faultline::campaign
