#pragma once

#include "run/fd.hpp"

#include <sys/types.h>

#include <string_view>
#include <utility>
#include <vector>

namespace faultline::run {

// Two connected ends of a local socket that keeps messages apart; both close on exec.
Result<std::pair<Fd, Fd>> make_socket_pair();

// False after so many milliseconds without anything to read.
bool wait_readable(int fd, int milliseconds);

// Messages with descriptors, over a socket of one's own.
bool send_with_descriptors(int socket, std::string_view message, const std::vector<int>& fds);
Fd receive_descriptor(int socket); // no descriptor if none came

// The number that this machine gives the process behind a pidfd, 0 if it is gone.
pid_t pid_of(int pidfd);

} // namespace faultline::run
