#pragma once

#include "serve/run_queue.hpp"

#include <string>

namespace faultline::serve {

enum class Findings { shown, left_out };

// A run as `user` sees it.
Json run_json(const QueuedRun& run, const std::string& user, Findings findings = Findings::shown);

// The queue with its newest runs.
Json queue_json(const QueueView& view, const std::string& user, Findings findings);

} // namespace faultline::serve
