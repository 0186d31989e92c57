#include "run/descriptors.hpp"

#include "base/format.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace faultline::run {

Result<std::pair<Fd, Fd>> make_socket_pair()
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorKind::machine, format("cannot make a socket: {}", std::strerror(errno))};
  }
  return std::pair(Fd(ends[0]), Fd(ends[1]));
}

bool wait_readable(int fd, int milliseconds)
{
  pollfd ready{fd, POLLIN, 0};
  int n = 0;
  do {
    n = poll(&ready, 1, milliseconds);
  } while (n < 0 && errno == EINTR);
  return n > 0;
}

bool send_with_descriptors(int socket, std::string_view text, const std::vector<int>& fds)
{
  std::string bytes(text);
  iovec data{bytes.data(), bytes.size()};
  std::array<char, CMSG_SPACE(4 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
  std::memcpy(CMSG_DATA(header), fds.data(), fds.size() * sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

Fd receive_descriptor(int socket)
{
  char byte = 0;
  iovec data{&byte, 1};
  std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) {
    return {};
  }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) {
    return {};
  }
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return Fd(fd);
}

pid_t pid_of(int pidfd)
{
  std::ifstream info(format("/proc/self/fdinfo/{}", pidfd));
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("Pid:")) {
      return std::max(0, std::atoi(line.c_str() + 4));
    }
  }
  return 0;
}

} // namespace faultline::run
