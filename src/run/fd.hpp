#pragma once

#include "base/result.hpp"

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace faultline::run {

// A file descriptor that closes itself.
class Fd {
public:
  Fd() = default;
  explicit Fd(int fd) : m_fd(fd) {}
  Fd(Fd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  Fd& operator=(Fd&& other) noexcept
  {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return m_fd; }
  explicit operator bool() const { return m_fd >= 0; }
  void reset()
  {
    if (m_fd >= 0) {
      close(std::exchange(m_fd, -1));
    }
  }

private:
  int m_fd = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

// Both ends close on exec; the read end does not block.
Result<Pipe> make_pipe();

// An anonymous file in memory that holds `content`; closes on exec.
Result<Fd> make_memory_file(std::string_view content);

// The whole content of a memory file.
std::string read_memory_file(int fd, size_t most);

} // namespace faultline::run
