#pragma once

#include "catalog/scheme.hpp"
#include "evaluate/evaluator.hpp"
#include "proof/prover.hpp"
#include "run/outcome_store.hpp"
#include "serve/run_queue.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace faultline::serve {

// What the workers of a queue share. All of it outlives the queue.
struct WorkshopConfig {
  const run::Environments* environments = nullptr;
  const catalog::Schemes* schemes = nullptr;
  run::OutcomeStore* outcomes = nullptr;
  evaluate::RunStore* tool_runs = nullptr;
  evaluate::ToolIdentities* identities = nullptr;
  run::Compiler* compiler = nullptr;
  run::RunnerConfig runner;
  evaluate::OwnTools own;
  std::filesystem::path tools; // the folder of their descriptions
  std::function<Result<catalog::Fault>(const std::string& id)> load_fault;
};

// Runs tests and tools as `verify` and `evaluate` do, in the same sandbox and with the same stores,
// so that these runs count there as well. Its fork server stays warm from one run to the next.
MakeWorker fault_workers(WorkshopConfig config);

} // namespace faultline::serve
