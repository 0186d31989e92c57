#include "campaign/weights.hpp"

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/cold_start.hpp"

#include <algorithm>
#include <span>

namespace faultline::campaign {

// What one job may hand back, in bytes.
constexpr size_t k_most_result = size_t{200} << 20U;

static run::Job job_for(const std::string& weights,
                        std::span<const WeightChange> changes,
                        const run::Environment& environment,
                        const std::string& probe)
{
  Json batch{{"weights", "weights.pt"}, {"changes", Json::array()}};
  for (const WeightChange& change : changes) {
    batch["changes"].push_back({{"operator", change.op->code},
                                {"setting", change.setting},
                                {"seed", change.seed & 0x7fffffffffffffffU}});
  }
  run::Job job;
  job.files["mutate_weights.py"] = probe;
  job.files["weights.pt"] = weights;
  job.files["batch.json"] = print_json_line(batch);
  job.command = {environment.python->path.string(), "mutate_weights.py", "batch.json"};
  run::place_in(environment, job);
  job.limits.wall_seconds = 300;
  job.limits.cpu_seconds = 300;
  job.limits.memory_mib = 2048 + 6 * (k_most_result >> 20U);
  job.limits.disk_mib = 1024;
  job.returns_result = true;
  return job;
}

static Result<void> take_apart(const std::string& result, std::vector<ChangedWeights>& all)
{
  const size_t line = result.find('\n');
  const Json head = parse_json(result.substr(0, line));
  if (line == std::string::npos || !head.is_array()) {
    return Error{ErrorKind::internal, "the probe of weights gave no result"};
  }
  size_t at = line + 1;
  for (const Json& entry : head) {
    ChangedWeights& changed = all.emplace_back();
    changed.unsuitable = entry.value("error", "");
    changed.note = entry.value("note", "");
    changed.bytes = result.substr(at, entry.value("bytes", size_t{0}));
    at += changed.bytes.size();
  }
  return {};
}

Result<std::vector<ChangedWeights>> change_weights(const std::string& weights,
                                                   const std::vector<WeightChange>& changes,
                                                   const run::Environment& environment)
{
  if (!environment.python) {
    return Error{ErrorKind::machine, *environment.missing("pytorch")};
  }
  if (weights.size() > k_most_result) {
    return Error{ErrorKind::bad_data,
                 format("weights of more than {} MiB are not changed", k_most_result >> 20U)};
  }
  FL_TRY(const std::string probe, read_file(environment.probes / "mutate_weights.py"));
  const size_t most = std::max<size_t>(1, k_most_result / (weights.size() + 65536));
  std::vector<ChangedWeights> all;
  for (size_t begin = 0; begin < changes.size(); begin += most) {
    const std::span<const WeightChange> part =
        std::span(changes).subspan(begin, std::min(most, changes.size() - begin));
    const run::RunOutcome outcome =
        run::run_cold(job_for(weights, part, environment, probe), run::Isolation::sandbox);
    if (outcome.ending == run::Ending::exited && outcome.code == 1 && !outcome.log.empty()) {
      return Error{ErrorKind::bad_data, std::string(split_lines(trim(outcome.log)).back())};
    }
    if (!outcome.succeeded()) {
      return Error{ErrorKind::machine,
                   format("cannot change the weights: {}{}",
                          run::describe(outcome),
                          outcome.reason.empty() ? "" : ": " + outcome.reason)};
    }
    FL_CHECK(take_apart(outcome.result, all));
  }
  return all;
}

} // namespace faultline::campaign
