#pragma once

#include "proof/proof.hpp"

#include <string>
#include <vector>

namespace faultline::proof {

// Collects the checks of one fault from its runs in one environment.
class Conclusion {
public:
  using Runs = std::vector<const FinishedRun*>;

  Conclusion(const catalog::Fault& fault,
             const std::vector<FinishedRun>& runs,
             const std::string& environment,
             bool says_where)
      : m_fault(fault), m_runs(runs), m_environment(environment),
        m_where(says_where ? " in " + environment : "")
  {
  }

  // Of an environment that has the fault.
  std::vector<Check> checks();

  // No more than that one version fails and the other passes.
  std::vector<Check> checks_of_versions();

  // That the log of the buggy version shows what `fault.toml` says, and that of the fixed one does
  // not.
  std::vector<Check> checks_of_the_log();

  // That the test is not vacuous.
  std::vector<Check> checks_of_the_test();

  // Of an environment whose versions lack the fault.
  std::vector<Check> checks_of_absence();

  Runs of(Purpose purpose, size_t which = 0) const;

private:
  void note(const std::string& name, bool holds, std::string detail);
  // Every run of `runs` has the verdict `wanted`.
  void all(const std::string& name, const Runs& runs, Verdict wanted);
  void all_fail(const std::string& name, const Runs& runs) { all(name, runs, Verdict::fail); }
  void all_pass(const std::string& name, const Runs& runs) { all(name, runs, Verdict::pass); }
  void swapped();
  void symptom();
  static std::vector<double> sample(const Runs& runs);
  bool beyond_threshold(double value) const;
  // `better` passes the threshold in the median, `worse` does not, and the declared test and effect
  // size hold between them. A run of the worse side that crashed counts as below everything.
  void differ(const std::string& name, const Runs& worse_runs, const Runs& better_runs);
  void beyond_in_median(const std::string& name, const Runs& runs);
  void compare_samples();

  const catalog::Fault& m_fault;
  const std::vector<FinishedRun>& m_runs;
  std::string m_environment;
  std::string m_where; // " in keras3", where there are several
  std::vector<Check> m_checks;
};

} // namespace faultline::proof
