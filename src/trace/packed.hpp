#pragma once

// The packed form of events that come often: fixed fields, little-endian, without names.

#include "trace/event.hpp"

#include <cstring>
#include <optional>
#include <string_view>

namespace faultline::trace {

// `bytes` must be long enough.
template <typename T> T first_number(std::string_view bytes)
{
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// The event of a frame of this kind; nothing if the frame is none, or not as long as it must be.
std::optional<Event> packed_event(char kind, std::string_view content);

} // namespace faultline::trace
