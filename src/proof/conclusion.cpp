#include "proof/conclusion.hpp"

#include "base/format.hpp"
#include "proof/symptom.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::proof {

using catalog::StatisticalOracle;

std::vector<Check> Conclusion::checks()
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
        all_pass(format("{} passes", m_fault.accepted[i].patch_file), of(Purpose::alternative, i));
      }
    }
  }
  return std::move(m_checks);
}

std::vector<Check> Conclusion::checks_of_versions()
{
  all_fail("buggy fails", of(Purpose::buggy));
  all_pass("fixed passes", of(Purpose::fixed));
  return std::move(m_checks);
}

std::vector<Check> Conclusion::checks_of_the_log()
{
  symptom();
  return std::move(m_checks);
}

std::vector<Check> Conclusion::checks_of_the_test()
{
  all_fail("empty program fails", of(Purpose::empty));
  all_fail("program that exits at once fails", of(Purpose::exits));
  swapped();
  return std::move(m_checks);
}

std::vector<Check> Conclusion::checks_of_absence()
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

Conclusion::Runs Conclusion::of(Purpose purpose, size_t which) const
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

void Conclusion::note(const std::string& name, bool holds, std::string detail)
{
  m_checks.push_back({name + m_where, holds, std::move(detail)});
}

void Conclusion::all(const std::string& name, const Runs& runs, Verdict wanted)
{
  const auto odd = std::ranges::find_if(
      runs, [wanted](const FinishedRun* run) { return run->judgement.verdict != wanted; });
  if (odd == runs.end()) {
    note(name, !runs.empty(), runs.empty() ? "was not run" : runs.front()->judgement.why);
  } else {
    note(name, false, format("seed {}: {}", (*odd)->planned.seed, (*odd)->judgement.why));
  }
}

void Conclusion::swapped()
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

void Conclusion::symptom()
{
  const FinishedRun* buggy = of(Purpose::buggy).front();
  const FinishedRun* fixed = of(Purpose::fixed).front();
  std::string missing = missing_symptom(m_fault, buggy->outcome);
  if (missing.empty() && matches(fixed->outcome.log, m_fault.oracle.evidence)) {
    missing = "the log of the fixed run matches the evidence too";
  }
  note("log shows the symptom", missing.empty(), missing.empty() ? "evidence found" : missing);
}

std::vector<double> Conclusion::sample(const Runs& runs)
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

bool Conclusion::beyond_threshold(double value) const
{
  const StatisticalOracle& oracle = *m_fault.oracle.statistical;
  return oracle.higher_is_better ? value >= oracle.threshold : value <= oracle.threshold;
}

void Conclusion::differ(const std::string& name, const Runs& worse_runs, const Runs& better_runs)
{
  const StatisticalOracle& oracle = *m_fault.oracle.statistical;
  const std::vector<double> worse = sample(worse_runs);
  const std::vector<double> better = sample(better_runs);
  if (better.size() < better_runs.size() || better.size() < 2) {
    note(name,
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

void Conclusion::beyond_in_median(const std::string& name, const Runs& runs)
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

void Conclusion::compare_samples()
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
      differ(
          format("{} passes", m_fault.accepted[i].patch_file), buggy, of(Purpose::alternative, i));
    }
  }
}

} // namespace faultline::proof
