#pragma once

// Starts a training program with a probe attached and reads the probe's stream while the program
// runs.

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
  int every = 0;                // inspect every Nth step closely; 0: the probe's own schedule
  bool experiments = true;      // run experiments on copies of the process
  std::optional<source::Severity> stop_on; // end the program at a finding this severe
  std::filesystem::path keep;              // where to save the stream; empty: nowhere
  run::Attached::Output output = run::Attached::Output::inherited;
};

// Callbacks during the run. Each may be empty.
struct Observer {
  std::function<void(const trace::Detection&)> detected;
  std::function<void(std::string_view)> printed; // what the program wrote to its terminal
  std::function<void(const trace::Trace&)> tick; // ten times a second
  std::function<void(const std::string&)> noted; // a message of `watch` itself
};

struct Outcome {
  // The program's status, as in a shell. Nothing if a saved stream ends early.
  std::optional<int> status;
  bool stopped = false;     // by us, for a finding
  bool interrupted = false; // by the user; the program may still have ended cleanly
  size_t bytes = 0;         // of the stream
  size_t skipped = 0;       // malformed records
  std::vector<trace::Detection> detections;
  std::unique_ptr<trace::Analyser> analyser; // owns the trace
};

Result<Outcome> watch(const Order& order, const Observer& observer);

// The same for a saved stream.
Result<Outcome> replay(const std::filesystem::path& file, const Observer& observer);

} // namespace faultline::watch
