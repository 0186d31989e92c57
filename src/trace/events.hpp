#pragma once

// The text form of events: an object of JSON each.

#include "trace/event.hpp"

#include <optional>

namespace faultline::trace {

// Nothing if it is none, or what it says cannot be.
std::optional<Event> event_of(const Json& json);

} // namespace faultline::trace
