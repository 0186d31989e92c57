#pragma once

// Messages of any length over a stream: a kind, a length, the bytes.

#include <optional>
#include <string>
#include <string_view>

namespace faultline::run {

struct Frame {
  char kind = 0;
  std::string bytes;
};

// False if the other side is gone.
bool write_frame(int fd, char kind, std::string_view bytes);

// Nothing if the other side is gone, or went in the middle of a message.
std::optional<Frame> read_frame(int fd);

} // namespace faultline::run
