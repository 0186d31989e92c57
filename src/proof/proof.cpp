#include "proof/proof.hpp"

#include "base/format.hpp"
#include "proof/conclusion.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <iterator>

namespace faultline::proof {

using catalog::Fault;

namespace {

using Runs = Conclusion::Runs;

bool mixed(const Runs& runs)
{
  return std::ranges::any_of(runs, [&runs](const FinishedRun* run) {
    return run->judgement.verdict != runs.front()->judgement.verdict;
  });
}

double median_seconds(const Runs& runs)
{
  std::vector<double> seconds;
  for (const FinishedRun* run : runs) {
    seconds.push_back(run->outcome.wall_seconds);
  }
  return seconds.empty() ? 0 : stats::median(seconds);
}

std::vector<double> metrics(const Runs& runs)
{
  std::vector<double> values;
  for (const FinishedRun* run : runs) {
    if (run->judgement.metric) {
      values.push_back(*run->judgement.metric);
    }
  }
  return values;
}

} // namespace

std::string_view name_of(State state)
{
  switch (state) {
  case State::proved:
    return "proved";
  case State::failed:
    return "failed";
  case State::flaky:
    return "flaky";
  case State::not_run:
    return "not run";
  }
  return "?";
}

State Proof::state() const
{
  return !missing.empty() ? State::not_run
         : proved         ? State::proved
         : flaky          ? State::flaky
                          : State::failed;
}

// What was run, and what could not be.
static Proof begin(const Fault& fault, const Places& places, const std::vector<FinishedRun>& runs)
{
  Proof proof;
  proof.id = fault.id;
  proof.unavailable = places.unavailable;
  for (const FinishedRun& run : runs) {
    proof.seeds = std::max(proof.seeds, run.planned.seed + 1);
    if (run.judgement.verdict == Verdict::none) {
      proof.missing.push_back(
          {run.planned.purpose, run.planned.seed, run.planned.environment, run.judgement.why});
    } else {
      ++proof.runs;
      proof.fresh_runs += run.from_store ? 0 : 1;
    }
  }
  if (!proof.missing.empty()) {
    proof.reason = proof.missing.front().why;
  }
  return proof;
}

// From the checks, whether it is proved, and if not, why.
static Proof end(Proof proof)
{
  const auto failed = std::ranges::find(proof.checks, false, &Check::holds);
  proof.proved = failed == proof.checks.end();
  if (!proof.proved) {
    proof.reason = format("not so: {} ({})", failed->name, failed->detail);
  }
  return proof;
}

Proof conclude_spot_check(const Fault& fault,
                          const Places& places,
                          const std::vector<FinishedRun>& runs)
{
  Proof proof = begin(fault, places, runs);
  proof.spot_check = true;
  if (!proof.missing.empty()) {
    return proof;
  }
  const std::string& first = places.proved_in.front();
  Conclusion conclusion(fault, runs, first, false);
  proof.buggy_seconds = median_seconds(conclusion.of(Purpose::buggy));
  proof.fixed_seconds = median_seconds(conclusion.of(Purpose::fixed));
  proof.checks = conclusion.checks_of_versions();
  std::ranges::move(Conclusion(fault, runs, first, false).checks_of_the_log(),
                    std::back_inserter(proof.checks));
  proof.proved_in = {first};
  return end(std::move(proof));
}

Proof conclude(const Fault& fault, const Places& places, const std::vector<FinishedRun>& runs)
{
  Proof proof = begin(fault, places, runs);
  if (!proof.missing.empty()) {
    return proof;
  }
  const bool says_where = fault.environments.size() + fault.absent_in.size() > 1;
  const auto add = [&proof](std::vector<Check> checks) {
    std::ranges::move(checks, std::back_inserter(proof.checks));
  };
  for (const std::string& environment : places.proved_in) {
    Conclusion conclusion(fault, runs, environment, says_where);
    const Runs buggy = conclusion.of(Purpose::buggy);
    const Runs fixed = conclusion.of(Purpose::fixed);
    proof.flaky |= !fault.oracle.statistical && (mixed(buggy) || mixed(fixed));
    if (proof.proved_in.empty()) {
      proof.buggy_seconds = median_seconds(buggy);
      proof.fixed_seconds = median_seconds(fixed);
      proof.buggy_sample = metrics(buggy);
      proof.fixed_sample = metrics(fixed);
    }
    add(conclusion.checks());
    proof.proved_in.push_back(environment);
  }
  for (const std::string& environment : places.absent_in) {
    add(Conclusion(fault, runs, environment, says_where).checks_of_absence());
  }
  add(Conclusion(fault, runs, places.proved_in.front(), false).checks_of_the_test());
  for (const std::string& environment : places.proved_in) {
    add(Conclusion(fault, runs, environment, says_where).checks_of_the_log());
  }
  return end(std::move(proof));
}

Json proof_json(const Proof& proof)
{
  Json json;
  json["id"] = proof.id;
  json["state"] = name_of(proof.state());
  json["proved"] = proof.proved;
  json["flaky"] = proof.flaky;
  json["runs"] = proof.runs;
  json["seconds"] = {{"buggy", proof.buggy_seconds}, {"fixed", proof.fixed_seconds}};
  json["reason"] = proof.reason;
  json["machine_failure"] = proof.state() == State::not_run;
  json["fresh_runs"] = proof.fresh_runs;
  json["seeds"] = proof.seeds;
  json["checks"] = Json::array();
  for (const Check& check : proof.checks) {
    json["checks"].push_back(
        {{"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
  }
  for (const MissingRun& run : proof.missing) {
    json["missing_runs"].push_back({{"purpose", name_of(run.purpose)},
                                    {"seed", run.seed},
                                    {"environment", run.environment},
                                    {"why", run.why}});
  }
  json["environments"] = proof.proved_in;
  json["unavailable"] = proof.unavailable;
  if (!proof.buggy_sample.empty() || !proof.fixed_sample.empty()) {
    json["samples"] = {{"buggy", proof.buggy_sample}, {"fixed", proof.fixed_sample}};
  }
  return json;
}

} // namespace faultline::proof
