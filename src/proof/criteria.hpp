#pragma once

// How far a faultload meets the five criteria of a standard benchmark that defect4ML names:
// relevance, reproducibility, fairness, verifiability and usability. Each is a handful of figures,
// computed from the catalogue, from proofs and from evaluations, and from nothing else.

#include "catalog/fault.hpp"
#include "run/environments.hpp"
#include "run/outcome_store.hpp"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace faultline::proof {

struct Measure {
  std::string name;
  std::variant<double, std::string> value;
  std::string unit;         // "faults", "seconds"; empty for a plain number or a text
  std::string detail;       // what is counted, and how
  std::optional<double> of; // of how many
};

struct Criterion {
  std::string name; // "relevance"
  std::string title;
  std::string definition;
  std::vector<Measure> measures;
};

// What one fault contributes.
struct FaultFacts {
  bool published_labels = false; // a study published at least one of its labels
  bool same_api = false;
  bool same_data = false;
  bool has_link = false;
  bool pins_packages = false;
  bool has_alternatives = false;
  bool statistical = false;
  size_t parts = 1;
  size_t changed_lines = 0; // of the fix: removed and added
  bool can_run_here = false;

  // Of its proof, from stored runs.
  bool proved = false; // as it is now
  bool flaky = false;
  int seeds = 0;
  size_t proof_runs = 0;
  double proof_seconds = 0;   // of all runs of the proof together
  bool not_vacuous = false;   // empty and exiting programs fail, names do not matter
  bool symptom_shown = false; // the buggy run shows what the fault declares
};

// Runs nothing.
Result<FaultFacts> facts_of(const catalog::Fault& fault,
                            run::OutcomeStore& store,
                            const run::Environments& environments);

struct CriteriaInput {
  size_t faults = 0; // that are not withdrawn
  // Framework, split, silent, origin and the label schemes: value → faults with it.
  std::map<std::string, std::map<std::string, size_t>> counts;
  std::vector<FaultFacts> read; // of all faults, or of a sample of them
  size_t tools = 0;             // that were evaluated
  size_t verdicts = 0;          // of a tool on a fault, known now
};

std::vector<Criterion> criteria(const CriteriaInput& input, const catalog::Schemes& schemes);

// Shannon's entropy of counts over its greatest possible value: 1 if all are equal, 0 if one has
// everything. `values` is how many there could be; at least as many as have a count.
double balance(const std::map<std::string, size_t>& counts, size_t values);

} // namespace faultline::proof
