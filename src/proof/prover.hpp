#pragma once

#include "catalog/catalog.hpp"
#include "proof/proof.hpp"
#include "run/compiler.hpp"
#include "run/outcome_store.hpp"
#include "run/runner.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::proof {

struct ProverConfig {
  int repeat = 1;
  size_t workers = 1;
  bool fresh = false; // run again what the store already knows
  run::RunnerConfig runner;
  const run::StopFlag* stop = nullptr; // once set, runs end as interrupted
  // Faults of which one run of each version is enough, because their proof is on record; none if
  // empty.
  std::function<bool(const catalog::Fault&)> on_record;
  std::string environment; // the only one to prove in; empty for all of a fault's
};

// The stored outcome of a planned run; nothing if it has not been made with this content on this
// machine.
Result<std::optional<run::StoredOutcome>> stored_outcome(const catalog::Fault& fault,
                                                         const PlannedRun& planned,
                                                         const run::Environments& environments,
                                                         run::OutcomeStore& store);

// Re-proves faults. Every finished run goes into the store at once, so an interrupted proof
// continues where it stopped.
class Prover {
public:
  Prover(const run::Environments& environments,
         run::OutcomeStore& store,
         run::Compiler& compiler,
         ProverConfig config);

  // How many runs it takes to prove `faults`, including stored ones.
  size_t count_runs(const std::vector<const catalog::Fault*>& faults) const;

  // `on_run` is called for every run as it finishes, on the thread that ran it.
  std::vector<Proof>
  prove(const std::vector<const catalog::Fault*>& faults,
        const std::function<void(const FinishedRun&, const catalog::Fault&)>& on_run);

  // Make one run and store its outcome.
  FinishedRun run_one(const catalog::Fault& fault,
                      const PlannedRun& planned,
                      run::Runner& runner,
                      const std::function<void(std::string_view)>& on_output = {});

private:
  struct Task {
    size_t fault;
    PlannedRun run;
    std::optional<FinishedRun> finished;
  };

  std::vector<PlannedRun> runs_of(const catalog::Fault& fault, const Places& places) const;
  bool is_spot_check(const catalog::Fault& fault) const;

  const run::Environments& m_environments;
  run::OutcomeStore& m_store;
  run::Compiler& m_compiler;
  ProverConfig m_config;
};

} // namespace faultline::proof
