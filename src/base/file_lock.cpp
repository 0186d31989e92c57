#include "base/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace faultline {

FileLock::FileLock(const std::filesystem::path& path)
    : m_fd(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644))
{
  while (m_fd >= 0 && flock(m_fd, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock()
{
  if (m_fd >= 0) {
    close(m_fd);
  }
}

bool FileLock::is_held(const std::filesystem::path& path)
{
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const bool held = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);
  return held;
}

} // namespace faultline
