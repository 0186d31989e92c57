#pragma once

#include "base/json.hpp"
#include "catalog/fault.hpp"
#include "proof/plan.hpp"
#include "proof/verdict.hpp"
#include "run/outcome.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::proof {

// A planned run and its outcome.
struct FinishedRun {
  PlannedRun planned;
  run::RunOutcome outcome;
  Judgement judgement;
  bool from_store = false;
};

// One property that a proof needs, and whether it holds.
struct Check {
  std::string name; // "buggy fails", "fixed passes", "empty program fails", …
  bool holds = false;
  std::string detail;
};

// The state of a fault after its runs.
enum class State {
  proved,
  failed,  // some check does not hold
  flaky,   // a check does not hold because a version passed with one seed and failed with another
  not_run, // not all runs could be made, so there is no verdict on the fault
};

std::string_view name_of(State state);

// A run that gave no verdict, and why: the machine could not make it, or the user interrupted it.
struct MissingRun {
  Purpose purpose;
  int seed = 0;
  std::string environment;
  std::string why;
};

// The conclusions from the runs of one fault.
struct Proof {
  std::string id;
  bool proved = false;
  bool spot_check = false; // nothing but one run of each version
  bool flaky = false;      // the same version passed with one seed and failed with another
  size_t runs = 0;         // that the proof rests on
  size_t fresh_runs = 0;   // of those, newly made
  int seeds = 0;
  double buggy_seconds = 0; // median of the wall times
  double fixed_seconds = 0;
  std::string reason; // why it is not proved: the first check that does not hold
  std::vector<Check> checks;
  std::vector<MissingRun> missing;
  std::vector<std::string> proved_in;             // environments whose runs it rests on
  std::map<std::string, std::string> unavailable; // environment that is not here → why
  std::vector<double> buggy_sample;               // of a statistical oracle's metric
  std::vector<double> fixed_sample;

  State state() const;
};

// Draw the conclusions. `runs` are those of plan_proof in `places`, in any order.
Proof conclude(const catalog::Fault& fault,
               const Places& places,
               const std::vector<FinishedRun>& runs);

// The same from one run of each version in the first environment, for a fault whose proof is on
// record: that it still does what it did, and no more than that.
Proof conclude_spot_check(const catalog::Fault& fault,
                          const Places& places,
                          const std::vector<FinishedRun>& runs);

// The shape that `verify --json` prints for a fault.
Json proof_json(const Proof& proof);

} // namespace faultline::proof
