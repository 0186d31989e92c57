#include "proof/proof.hpp"

#include "base/format.hpp"
#include "proof/symptom.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace faultline::proof {

using catalog::Fault;
using catalog::StatisticalOracle;

namespace {

using Runs = std::vector<const FinishedRun*>;

// Collects the checks of one fault from its runs in one environment.
class Conclusion {
public:
  Conclusion(const Fault& fault,
             const std::vector<FinishedRun>& runs,
             const std::string& environment,
             bool says_where)
      : m_fault(fault), m_runs(runs), m_environment(environment),
        m_where(says_where ? " in " + environment : "")
  {
  }

  // Of an environment that has the fault.
  std::vector<Check> checks()
  {
    if (m_fault.oracle.statistical) {
      compare_samples();
    } else {
      all_fail("buggy fails", of(Purpose::buggy));
      all_pass("fixed passes", of(Purpose::fixed));
      for (size_t i = 0; i < m_fault.parts.size() && m_fault.parts.size() > 1; ++i) {
        all_fail(format("fails without the fix of `{}`", m_fault.parts[i].name),
                 of(Purpose::part_missing, i));
      }
      for (size_t i = 0; i < m_fault.accepted.size(); ++i) {
        if (m_fault.accepted[i].patch) {
          all_pass(format("{} passes", m_fault.accepted[i].patch_file),
                   of(Purpose::alternative, i));
        }
      }
    }
    return std::move(m_checks);
  }

  // No more than that one version fails and the other passes.
  std::vector<Check> checks_of_versions()
  {
    all_fail("buggy fails", of(Purpose::buggy));
    all_pass("fixed passes", of(Purpose::fixed));
    return std::move(m_checks);
  }

  // That the log of the buggy version shows what `fault.toml` says, and that of the fixed one does not.
  std::vector<Check> checks_of_the_log()
  {
    symptom();
    return std::move(m_checks);
  }

  // That the test is not vacuous.
  std::vector<Check> checks_of_the_test()
  {
    all_fail("empty program fails", of(Purpose::empty));
    all_fail("program that exits at once fails", of(Purpose::exits));
    swapped();
    return std::move(m_checks);
  }

  // Of an environment whose versions lack the fault.
  std::vector<Check> checks_of_absence()
  {
    if (m_fault.oracle.statistical) {
      beyond_in_median("buggy passes", of(Purpose::buggy));
      beyond_in_median("fixed passes", of(Purpose::fixed));
    } else {
      all_pass("buggy passes", of(Purpose::buggy));
      all_pass("fixed passes", of(Purpose::fixed));
    }
    return std::move(m_checks);
  }

  Runs of(Purpose purpose, size_t which = 0) const
  {
    Runs found;
    for (const FinishedRun& run : m_runs) {
      if (run.planned.purpose == purpose && run.planned.which == which &&
          run.planned.environment == m_environment) {
        found.push_back(&run);
      }
    }
    return found;
  }

private:
  void note(const std::string& name, bool holds, std::string detail)
  {
    m_checks.push_back({name + m_where, holds, std::move(detail)});
  }

  // Every run of `runs` has the verdict `wanted`.
  void all(const std::string& name, const Runs& runs, Verdict wanted)
  {
    const auto odd = std::ranges::find_if(
        runs, [wanted](const FinishedRun* run) { return run->judgement.verdict != wanted; });
    if (odd == runs.end()) {
      note(name, !runs.empty(), runs.empty() ? "was not run" : runs.front()->judgement.why);
    } else {
      note(name, false, format("seed {}: {}", (*odd)->planned.seed, (*odd)->judgement.why));
    }
  }
  void all_fail(const std::string& name, const Runs& runs) { all(name, runs, Verdict::fail); }
  void all_pass(const std::string& name, const Runs& runs) { all(name, runs, Verdict::pass); }

  void swapped()
  {
    const Runs buggy = of(Purpose::swapped_buggy);
    const Runs fixed = of(Purpose::swapped_fixed);
    const FinishedRun* plain_buggy = of(Purpose::buggy).front();
    const FinishedRun* plain_fixed = of(Purpose::fixed).front();
    const bool same_bytes = buggy.front()->planned.program == m_fault.program;
    const bool follow = buggy.front()->judgement.verdict == plain_buggy->judgement.verdict &&
                        fixed.front()->judgement.verdict == plain_fixed->judgement.verdict;
    note("verdicts swap with the versions",
         same_bytes && follow,
         !same_bytes ? "taking the fix back does not give the buggy program"
         : follow    ? "the verdict follows the program, not its name"
                     : "the verdict follows the name of the version, not the program");
  }

  void symptom()
  {
    const FinishedRun* buggy = of(Purpose::buggy).front();
    const FinishedRun* fixed = of(Purpose::fixed).front();
    std::string missing = missing_symptom(m_fault, buggy->outcome);
    if (missing.empty() && matches(fixed->outcome.log, m_fault.oracle.evidence)) {
      missing = "the log of the fixed run matches the evidence too";
    }
    note("log shows the symptom", missing.empty(), missing.empty() ? "evidence found" : missing);
  }

  static std::vector<double> sample(const Runs& runs)
  {
    std::vector<double> values;
    for (const FinishedRun* run : runs) {
      // A diverged run (NaN or infinite) gave no value; `differ` counts it as such.
      if (run->judgement.metric && std::isfinite(*run->judgement.metric)) {
        values.push_back(*run->judgement.metric);
      }
    }
    return values;
  }

  bool beyond_threshold(double value) const
  {
    const StatisticalOracle& oracle = *m_fault.oracle.statistical;
    return oracle.higher_is_better ? value >= oracle.threshold : value <= oracle.threshold;
  }

  // `better` passes the threshold in the median, `worse` does not, and the declared test and effect
  // size hold between them. A run of the worse side that crashed counts as below everything.
  void differ(const std::string& name, const Runs& worse_runs, const Runs& better_runs)
  {
    const StatisticalOracle& oracle = *m_fault.oracle.statistical;
    const std::vector<double> worse = sample(worse_runs);
    const std::vector<double> better = sample(better_runs);
    if (better.size() < better_runs.size() || better.size() < 2) {
      note(
          name,
          false,
          format("{} of {} good runs gave a {}", better.size(), better_runs.size(), oracle.metric));
      return;
    }
    if (worse.size() < 2) {
      note(name, worse.size() < worse_runs.size(), "the buggy runs gave no values");
      return;
    }
    const double of_worse = stats::median(worse);
    const double of_better = stats::median(better);
    const bool welch = oracle.test == "welch";
    const stats::TestResult test =
        welch ? stats::welch_t_test(better, worse) : stats::mann_whitney(better, worse);
    const double raw = welch ? stats::cohens_d(better, worse) : stats::a12(better, worse);
    const double effect = oracle.higher_is_better ? raw : welch ? -raw : 1 - raw;
    const bool holds = beyond_threshold(of_better) && !beyond_threshold(of_worse) &&
                       test.p < oracle.alpha && effect >= oracle.effect;
    note(name,
         holds,
         format("median {} {:.4g} against {:.4g} (threshold {:.4g}), {} p = {:.2g} (needs < "
                "{:.2g}), {} = "
                "{:.3g} (needs {:.3g})",
                oracle.metric,
                of_worse,
                of_better,
                oracle.threshold,
                oracle.test,
                test.p,
                oracle.alpha,
                welch ? "d" : "A12",
                effect,
                oracle.effect));
  }

  void beyond_in_median(const std::string& name, const Runs& runs)
  {
    const std::vector<double> values = sample(runs);
    const double middle = values.empty() ? 0 : stats::median(values);
    note(name,
         values.size() == runs.size() && beyond_threshold(middle),
         format("median {} {:.4g} (threshold {:.4g})",
                m_fault.oracle.statistical->metric,
                middle,
                m_fault.oracle.statistical->threshold));
  }

  void compare_samples()
  {
    const Runs buggy = of(Purpose::buggy);
    const Runs fixed = of(Purpose::fixed);
    differ("buggy and fixed samples differ", buggy, fixed);
    for (size_t i = 0; i < m_fault.parts.size() && m_fault.parts.size() > 1; ++i) {
      differ(format("fails without the fix of `{}`", m_fault.parts[i].name),
             of(Purpose::part_missing, i),
             fixed);
    }
    for (size_t i = 0; i < m_fault.accepted.size(); ++i) {
      if (m_fault.accepted[i].patch) {
        differ(format("{} passes", m_fault.accepted[i].patch_file),
               buggy,
               of(Purpose::alternative, i));
      }
    }
  }

  const Fault& m_fault;
  const std::vector<FinishedRun>& m_runs;
  std::string m_environment;
  std::string m_where; // " in keras3", where there are several
  std::vector<Check> m_checks;
};

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
      proof.missing.push_back({run.planned.purpose,
                               run.planned.seed,
                               run.planned.environment,
                               run.judgement.why});
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
    json["missing_runs"].push_back(
        {{"purpose", name_of(run.purpose)},
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
