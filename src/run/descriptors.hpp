#pragma once

#include "run/fd.hpp"

#include <sys/types.h>

#include <string_view>
#include <utility>
#include <vector>

namespace faultline::run {

// Two connected ends of a local socket that preserves message boundaries; both close on exec.
Result<std::pair<Fd, Fd>> make_socket_pair();

// False if there is nothing to read for this many milliseconds.
bool wait_readable(int fd, int milliseconds);

// Messages with descriptors, over such a socket.
bool send_with_descriptors(int socket, std::string_view message, const std::vector<int>& fds);
Fd receive_descriptor(int socket); // no descriptor if none came

// The pid of the process behind a pidfd, as seen outside the sandbox; 0 if it is gone.
pid_t pid_of(int pidfd);

} // namespace faultline::run
