#include "run/frame.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace faultline::run {

namespace {

constexpr size_t k_head = 1 + sizeof(uint64_t);
constexpr uint64_t k_longest = uint64_t{1} << 32U; // more is no message of ours

bool write_all(int fd, std::string_view bytes)
{
  while (!bytes.empty()) {
    const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool read_all(int fd, char* into, size_t size)
{
  while (size > 0) {
    const ssize_t got = read(fd, into, size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    into += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

} // namespace

bool write_frame(int fd, char kind, std::string_view bytes)
{
  std::array<char, k_head> head = {kind};
  const uint64_t length = bytes.size();
  std::memcpy(head.data() + 1, &length, sizeof(length));
  return write_all(fd, {head.data(), head.size()}) && write_all(fd, bytes);
}

std::optional<Frame> read_frame(int fd)
{
  std::array<char, k_head> head;
  uint64_t length = 0;
  if (!read_all(fd, head.data(), head.size())) {
    return std::nullopt;
  }
  std::memcpy(&length, head.data() + 1, sizeof(length));
  if (length > k_longest) {
    return std::nullopt;
  }
  Frame frame{head[0], std::string(length, '\0')};
  return read_all(fd, frame.bytes.data(), length) ? std::optional(std::move(frame)) : std::nullopt;
}

} // namespace faultline::run
