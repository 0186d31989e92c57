#pragma once

#include "run/interrupt.hpp"
#include "run/job.hpp"
#include "run/outcome.hpp"
#include "run/sandbox.hpp"

#include <functional>
#include <string_view>

namespace faultline::run {

// Run a job in a new sandbox of its own.
RunOutcome run_cold(const Job& job,
                    Isolation isolation,
                    const std::function<void(std::string_view)>& on_output = {},
                    const StopFlag* stop = nullptr);

} // namespace faultline::run
