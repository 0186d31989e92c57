#pragma once

#include "serve/request.hpp"
#include "serve/run_queue.hpp"

#include <memory>
#include <string>

namespace faultline::serve {

// The events of one run: `state` when it changes, `log` with what it printed from byte `offset` on,
// `end` last. Ids of log events are offsets, so that a client can resume there after losing the
// connection.
EventSource
run_events(RunQueue& queue, const QueuedRun& run, const std::string& user, size_t offset);

// The queue whenever it changed, four times a second at most.
EventSource queue_events(RunQueue& queue, const std::string& user);

// Bytes of `text` before a UTF-8 sequence that is cut off at its end.
size_t whole_characters(std::string_view text);

} // namespace faultline::serve
