#include "campaign/batch.hpp"

#include "base/format.hpp"
#include "campaign/cold_run.hpp"

namespace faultline::campaign {

static Start start_of_fork(std::string_view kind)
{
  for (const Start start : {Start::function, Start::defaults, Start::module}) {
    if (name_of(start) == kind) {
      return start;
    }
  }
  return Start::cold;
}

Result<std::optional<Observed>> Batch::take(ForkEnd end)
{
  const std::string decision =
      end.result.is_object() ? end.result.value("decision", "ran") : std::string("ran");
  const double spent = end.outcome.cpu_seconds;
  const int checkpoints = static_cast<int>(number_in(end.result, "checkpoints", 0));
  PutOff& before = m_put_off[end.variant];
  if (decision == "defer") {
    before = {end.kind, spent, checkpoints};
    return std::optional<Observed>();
  }
  end.outcome.result = print_json_compact(end.result);
  FL_TRY(Observed observed, observe(m_spec, end.outcome, id(end.variant), m_repeat));
  Run& run = observed.run;
  const bool again = end.kind == "deferred";
  run.start = start_of_fork(again ? before.kind : end.kind);
  run.seconds = number_in(end.result, "wall", end.prefix_seconds + end.outcome.wall_seconds);
  run.cpu_seconds = number_in(end.result, "cpu_seconds", end.prefix_seconds + spent);
  run.spent_seconds = spent + before.spent;
  run.checkpoints = checkpoints + before.checkpoints;
  if (decision == "same-state") {
    const auto passed = static_cast<size_t>(number_in(end.result, "passed", 0));
    run.metrics = m_clean.metrics();
    run.cpu_seconds += m_clean.cpu_after(passed);
    run.seconds += m_clean.wall_after(passed);
    observed.log += format("(ended at checkpoint {}: from there on it is the clean run)\n", passed);
  }
  if (decision == "same-state" || again) {
    run.decision = Decision::same_state;
  }
  return std::optional(std::move(observed));
}

} // namespace faultline::campaign
