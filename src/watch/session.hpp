#pragma once

// Starts a training program with the probes attached and reads what they say while it runs.

#include "base/result.hpp"
#include "run/attached.hpp"
#include "trace/symptom.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::watch {

struct Order {
  std::vector<std::string> command;
  std::filesystem::path probes; // their folder
  int every = 0;                // look closely at every so many steps; 0: the probe's own schedule
  bool experiments = true;      // try things on copies of the process
  std::optional<source::Severity> stop_on; // end the program at a finding this severe
  std::filesystem::path keep;              // where the stream is kept; empty: nowhere
  run::Attached::Output output = run::Attached::Output::inherited;
};

// Who wants to know while it runs. Each may be empty.
struct Observer {
  std::function<void(const trace::Detection&)> detected;
  std::function<void(std::string_view)> printed; // what the program wrote to its own terminal
  std::function<void(const trace::Trace&)> tick; // ten times a second
  std::function<void(const std::string&)> noted; // a line about the watching itself
};

struct Outcome {
  // Of the program, as a shell says it. Nothing if a kept stream breaks off before its end.
  std::optional<int> status;
  bool stopped = false;     // by us, for a finding
  bool interrupted = false; // by the user; the program may have ended in order
  size_t bytes = 0;         // of the stream
  size_t skipped = 0;       // records that made no sense
  std::vector<trace::Detection> detections;
  std::unique_ptr<trace::Analyser> analyser; // which has the trace
};

Result<Outcome> watch(const Order& order, const Observer& observer);

// The same for a stream that was kept.
Result<Outcome> replay(const std::filesystem::path& file, const Observer& observer);

} // namespace faultline::watch
