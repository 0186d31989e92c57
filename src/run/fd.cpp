#include "run/fd.hpp"

#include "base/format.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace faultline::run {

static Error machine_error(std::string_view doing)
{
  return {ErrorKind::machine, format("cannot {}: {}", doing, std::strerror(errno))};
}

Result<Pipe> make_pipe()
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return machine_error("make a pipe");
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

Result<Fd> make_memory_file(std::string_view content)
{
  Fd fd(memfd_create("faultline", MFD_CLOEXEC));
  if (!fd) {
    return machine_error("make a file in memory");
  }
  while (!content.empty()) {
    const ssize_t n = write(fd.get(), content.data(), content.size());
    if (n < 0) {
      return machine_error("write a file in memory");
    }
    content.remove_prefix(static_cast<size_t>(n));
  }
  return fd;
}

std::string read_memory_file(int fd, size_t most)
{
  struct stat info {};
  if (fstat(fd, &info) != 0) {
    return {};
  }
  std::string content(std::min(static_cast<size_t>(info.st_size), most), '\0');
  size_t have = 0;
  while (have < content.size()) {
    const ssize_t n =
        pread(fd, content.data() + have, content.size() - have, static_cast<off_t>(have));
    if (n <= 0) {
      break;
    }
    have += static_cast<size_t>(n);
  }
  content.resize(have);
  return content;
}

} // namespace faultline::run
