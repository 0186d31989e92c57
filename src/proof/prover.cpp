#include "proof/prover.hpp"

#include "base/text.hpp"
#include "run/pool.hpp"

#include <algorithm>

namespace faultline::proof {

using catalog::Fault;
using catalog::Version;

Prover::Prover(const run::Environments& environments,
               run::OutcomeStore& store,
               run::Compiler& compiler,
               ProverConfig config)
    : m_environments(environments), m_store(store), m_compiler(compiler), m_config(config)
{
}

// The name under which a program is run. Vacuous programs and those that lack something are called
// buggy, so that a test that reads the name shows itself in the swapped runs.
static Version label_of(Purpose purpose)
{
  switch (purpose) {
  case Purpose::fixed:
  case Purpose::swapped_buggy:
  case Purpose::alternative:
    return Version::fixed;
  default:
    return Version::buggy;
  }
}

// What decides an outcome and is not in the job: the machine, the content of data sets, and how the
// binary is made that is put into the job later.
static std::string fingerprint_of(const Fault& fault, const run::Environment& environment)
{
  std::string text =
      environment.fingerprint(fault.framework) + environment.data_fingerprint(fault.data);
  if (fault.run.compile) {
    text += "compiled " + join(fault.run.compile->sources, " ") + " " + fault.run.compile->output;
  }
  return text;
}

Result<std::optional<run::StoredOutcome>> stored_outcome(const Fault& fault,
                                                         const PlannedRun& planned,
                                                         const run::Environments& environments,
                                                         run::OutcomeStore& store)
{
  const run::Environment& environment = environments.get(planned.environment);
  FL_TRY(const run::Job job,
         test_job(fault, planned.program, label_of(planned.purpose), planned.seed, environment));
  return store.find(run::address_of(job, fingerprint_of(fault, environment)));
}

FinishedRun Prover::run_one(const Fault& fault,
                            const PlannedRun& planned,
                            run::Runner& runner,
                            const std::function<void(std::string_view)>& on_output)
{
  FinishedRun finished;
  finished.planned = planned;
  const auto end = [&](run::RunOutcome outcome) {
    finished.outcome = std::move(outcome);
    finished.judgement = judge(fault, finished.outcome);
    return finished;
  };
  const run::Environment& environment = m_environments.get(planned.environment);
  if (const auto why = lacking_for(fault, environment)) {
    return end(run::machine_failure(*why));
  }
  Result<run::Job> job =
      test_job(fault, planned.program, label_of(planned.purpose), planned.seed, environment);
  if (!job) {
    return end(run::machine_failure(job.error().line()));
  }
  const std::string address = run::address_of(
      *job,
      fingerprint_of(fault, environment) +
          (m_config.runner.isolation == run::Isolation::none ? "without a sandbox" : ""));
  if (!m_config.fresh) {
    Result<std::optional<run::StoredOutcome>> stored = m_store.find(address);
    if (stored && *stored) {
      finished.from_store = true;
      return end(std::move((*stored)->outcome));
    }
  }
  std::optional<run::RunOutcome> outcome =
      add_binary(fault, planned.program, *job, m_compiler, m_config.stop);
  if (!outcome) {
    outcome = runner.run(*job, environment, on_output, m_config.stop);
  }
  if (const Result<void> kept = m_store.put(address, 0, *outcome); !kept) {
    return end(run::machine_failure(kept.error().line()));
  }
  return end(*std::move(outcome));
}

// A sample cannot be judged by one value.
bool Prover::is_spot_check(const Fault& fault) const
{
  return m_config.on_record && !fault.oracle.statistical && m_config.on_record(fault);
}

std::vector<PlannedRun> Prover::runs_of(const Fault& fault, const Places& places) const
{
  Result<std::vector<PlannedRun>> runs = plan_proof(fault, places, m_config.repeat);
  FL_ASSERT(runs.has_value(), "the patches of a loaded fault apply");
  if (is_spot_check(fault)) {
    std::erase_if(*runs, [&places](const PlannedRun& run) {
      const bool is_version = run.purpose == Purpose::buggy || run.purpose == Purpose::fixed;
      return !is_version || run.seed > 0 || run.environment != places.proved_in.front();
    });
  }
  return *std::move(runs);
}

size_t Prover::count_runs(const std::vector<const Fault*>& faults) const
{
  size_t count = 0;
  for (const Fault* fault : faults) {
    count += runs_of(*fault, places_of(*fault, m_environments, m_config.environment)).size();
  }
  return count;
}

static FinishedRun not_started(PlannedRun planned)
{
  FinishedRun run;
  run.planned = std::move(planned);
  run.outcome.ending = run::Ending::interrupted;
  run.judgement = {Verdict::none, std::nullopt, "interrupted before it was started"};
  return run;
}

std::vector<Proof>
Prover::prove(const std::vector<const Fault*>& faults,
              const std::function<void(const FinishedRun&, const Fault&)>& on_run)
{
  std::vector<Task> tasks;
  std::vector<Places> places;
  for (size_t i = 0; i < faults.size(); ++i) {
    places.push_back(places_of(*faults[i], m_environments, m_config.environment));
    for (PlannedRun& run : runs_of(*faults[i], places[i])) {
      tasks.push_back({i, std::move(run), std::nullopt});
    }
  }
  // A runner has a fork server of one environment at a time.
  // Programs that need compiling take longest, so they go first: no thread should be left with one
  // at the end.
  std::ranges::stable_sort(
      tasks, {}, [](const Task& task) -> const std::string& { return task.run.environment; });
  std::stable_partition(tasks.begin(), tasks.end(), [&faults](const Task& task) {
    return faults[task.fault]->run.compile.has_value();
  });
  run::for_each_parallel(
      tasks.size(),
      m_config.workers,
      [this] { return run::Runner(m_config.runner); },
      [&](run::Runner& runner, size_t i) {
        Task& task = tasks[i];
        task.finished = run_one(*faults[task.fault], task.run, runner);
        on_run(*task.finished, *faults[task.fault]);
      });

  std::vector<std::vector<FinishedRun>> by_fault(faults.size());
  for (Task& task : tasks) {
    by_fault[task.fault].push_back(task.finished ? *std::move(task.finished)
                                                 : not_started(std::move(task.run)));
  }
  std::vector<Proof> proofs;
  for (size_t i = 0; i < faults.size(); ++i) {
    proofs.push_back(is_spot_check(*faults[i])
                         ? conclude_spot_check(*faults[i], places[i], by_fault[i])
                         : conclude(*faults[i], places[i], by_fault[i]));
  }
  return proofs;
}

} // namespace faultline::proof
