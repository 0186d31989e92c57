#include "proof/criteria.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "environment/description.hpp"
#include "proof/prover.hpp"
#include "proof/record.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace faultline::proof {

namespace {

size_t changed_lines(const std::string& patch)
{
  const std::vector<std::string_view> lines = split_lines(patch);
  return static_cast<size_t>(std::ranges::count_if(lines, [](std::string_view line) {
    return (line.starts_with('+') && !line.starts_with("+++")) ||
           (line.starts_with('-') && !line.starts_with("---"));
  }));
}

bool holds(const Proof& proof, std::string_view name)
{
  return std::ranges::any_of(
      proof.checks, [name](const Check& check) { return check.holds && check.name == name; });
}

// A figure over single faults; it is that of a sample if not all faults were read.
class Reader {
public:
  explicit Reader(const CriteriaInput& input) : m_input(input) {}

  std::string note(std::string detail) const
  {
    if (m_input.read.size() < m_input.faults) {
      detail += format("; of a sample of {}", count_of(m_input.read.size(), "fault"));
    }
    return detail;
  }

  Measure share(std::string name, bool FaultFacts::*fact, std::string detail) const
  {
    const auto hits = std::ranges::count_if(
        m_input.read, [fact](const FaultFacts& facts) { return facts.*fact; });
    return {std::move(name),
            static_cast<double>(hits),
            "faults",
            note(std::move(detail)),
            static_cast<double>(m_input.read.size())};
  }

  Measure median(std::string name,
                 const std::function<std::optional<double>(const FaultFacts&)>& value,
                 std::string unit,
                 std::string detail) const
  {
    std::vector<double> values;
    for (const FaultFacts& facts : m_input.read) {
      if (const std::optional<double> one = value(facts)) {
        values.push_back(*one);
      }
    }
    if (values.empty()) {
      return {std::move(name), "not known", "", note(std::move(detail)), std::nullopt};
    }
    return {std::move(name),
            stats::median(values),
            std::move(unit),
            note(std::move(detail)),
            std::nullopt};
  }

private:
  const CriteriaInput& m_input;
};

// Counts over the whole catalogue.
class Counter {
public:
  explicit Counter(const CriteriaInput& input) : m_input(input) {}

  const std::map<std::string, size_t>& of(const std::string& facet) const
  {
    static const std::map<std::string, size_t> k_none;
    const auto found = m_input.counts.find(facet);
    return found == m_input.counts.end() ? k_none : found->second;
  }

  size_t of(const std::string& facet, const std::string& value) const
  {
    const auto& counts = of(facet);
    const auto found = counts.find(value);
    return found == counts.end() ? 0 : found->second;
  }

  Measure share(std::string name, size_t hits, std::string detail) const
  {
    return {std::move(name),
            static_cast<double>(hits),
            "faults",
            std::move(detail),
            static_cast<double>(m_input.faults)};
  }

  // Labels that at least one fault has.
  Measure covered(const catalog::Scheme& scheme, std::string name, std::string detail) const
  {
    const auto& counts = of(scheme.name);
    size_t leaves = 0;
    size_t hits = 0;
    for (const catalog::Label& label : scheme.labels) {
      if (label.leaf) {
        ++leaves;
        hits += counts.contains(label.id) ? 1 : 0;
      }
    }
    return {std::move(name),
            static_cast<double>(hits),
            "labels",
            std::move(detail),
            static_cast<double>(leaves)};
  }

  Measure
  balanced(std::string name, const std::string& facet, size_t values, std::string detail) const
  {
    return {std::move(name), balance(of(facet), values), "", std::move(detail), 1.0};
  }

private:
  const CriteriaInput& m_input;
};

Measure tops_covered(const Counter& count, const catalog::Scheme& types)
{
  std::map<std::string, bool> tops;
  for (const catalog::Label& label : types.labels) {
    tops[label.id.substr(0, label.id.find('/'))];
  }
  for (const auto& [type, faults] : count.of("type")) {
    tops[type.substr(0, type.find('/'))] = faults > 0;
  }
  const auto hits = std::ranges::count_if(tops, [](const auto& top) { return top.second; });
  return {"top categories covered",
          static_cast<double>(hits),
          "labels",
          "tops of the taxonomy of real faults with at least one fault",
          static_cast<double>(tops.size())};
}

size_t leaves_of(const catalog::Scheme& scheme)
{
  return scheme.leaf_ids().size();
}

Criterion relevance(const CriteriaInput& input, const catalog::Schemes& schemes)
{
  const Counter count(input);
  const Reader read(input);
  const size_t injected = count.of("origin", "injected");
  return {
      "relevance",
      "Relevance",
      "The faults are like those that practitioners meet, of all kinds and with known causes.",
      {count.share("real origin",
                   input.faults - std::min(injected, input.faults),
                   "from a question, an issue or a study; not injected"),
       read.share("published labels",
                  &FaultFacts::published_labels,
                  "a study published at least one of the labels"),
       count.covered(schemes.get("type"),
                     "fault types covered",
                     "leaves of the taxonomy of real faults with at least one fault"),
       tops_covered(count, schemes.get("type")),
       count.covered(schemes.get("fix_pattern"), "fix patterns covered", "with at least one fault"),
       count.covered(schemes.get("symptom"), "symptoms covered", "with at least one fault"),
       read.share(
           "same API", &FaultFacts::same_api, "uses the API of the report, not a port of it"),
       read.share(
           "same data", &FaultFacts::same_data, "uses the data of the report, not a stand-in")}};
}

// Only runs show whether a fault is flaky: this is the share of those that were run.
Measure flaky_of_tried(const std::vector<FaultFacts>& read, Measure flaky)
{
  const auto tried =
      std::ranges::count_if(read, [](const FaultFacts& facts) { return facts.proof_runs > 0; });
  if (tried == 0) {
    flaky.value = "not known";
    flaky.of.reset();
  } else {
    flaky.of = static_cast<double>(tried);
  }
  return flaky;
}

Criterion reproducibility(const CriteriaInput& input)
{
  const Reader read(input);
  size_t runs = 0;
  for (const FaultFacts& facts : input.read) {
    runs += facts.proof_runs;
  }
  return {
      "reproducibility",
      "Reproducibility",
      "Each fault fails and each fix passes, again and again, on pinned versions.",
      {read.share("proved", &FaultFacts::proved, "by runs of the fault as it is now"),
       flaky_of_tried(input.read,
                      read.share("flaky",
                                 &FaultFacts::flaky,
                                 "passed with one seed and failed with another, on the same "
                                 "version")),
       read.median(
           "seeds",
           [](const FaultFacts& facts) {
             return facts.seeds > 0 ? std::optional<double>(facts.seeds) : std::nullopt;
           },
           "seeds",
           "median over proved faults of the seeds that the last proof used"),
       {"runs of proofs",
        static_cast<double>(runs),
        "runs",
        read.note("stored outcomes that proofs rest on"),
        std::nullopt},
       read.share("pinned versions",
                  &FaultFacts::pins_packages,
                  "names the versions of the packages that it was made with"),
       {"isolation",
        "a sandbox for each run",
        "",
        "no network, a read-only system, an empty folder, limits of time, memory, processes and "
        "output",
        std::nullopt}}};
}

Criterion fairness(const CriteriaInput& input, const catalog::Schemes& schemes)
{
  const Counter count(input);
  const Reader read(input);
  return {
      "fairness",
      "Fairness",
      "No tool is favoured: faults are spread over frameworks and kinds, and every right answer "
      "counts.",
      {count.balanced("balance over frameworks",
                      "framework",
                      catalog::k_frameworks.size(),
                      "entropy over its greatest value: 1 is even, 0 is all in one"),
       count.balanced("balance over categories",
                      "category",
                      leaves_of(schemes.get("category")),
                      "the same over categories of faults"),
       count.share(
           "development split", count.of("split", "dev"), "may be looked at while a tool is made"),
       count.share("test split", count.of("split", "test"), "only to measure with"),
       count.share("silent", count.of("silent", "true"), "no crash and no message shows them"),
       read.share("other right answers",
                  &FaultFacts::has_alternatives,
                  "another fix, place or type is accepted as well"),
       {"tools evaluated",
        static_cast<double>(input.tools),
        "tools",
        "with a stored verdict, in the same sandbox and with the same key",
        std::nullopt},
       {"verdicts",
        static_cast<double>(input.verdicts),
        "verdicts",
        "of a tool on a fault that it applies to, stored for what both are now",
        std::nullopt}}};
}

Criterion verifiability(const CriteriaInput& input)
{
  const Reader read(input);
  return {"verifiability",
          "Verifiability",
          "Anybody can check that a fault is one: its report, its test and its fix are there, and "
          "the test accepts nothing else.",
          {read.share("tests that nothing passes by doing nothing",
                      &FaultFacts::not_vacuous,
                      "an empty program and one that exits at once fail, and names of versions do "
                      "not matter"),
           read.share("symptom shown",
                      &FaultFacts::symptom_shown,
                      "the log of the buggy version shows the symptom that the fault declares"),
           read.share("link to a report", &FaultFacts::has_link, "where the fault was described"),
           read.median(
               "size of a fix",
               [](const FaultFacts& facts) { return double(facts.changed_lines); },
               "lines",
               "median of the lines that a fix removes or adds; nothing but the fix is in it"),
           read.share("statistical oracles",
                      &FaultFacts::statistical,
                      "decided by a test over many seeds, as one run shows nothing")}};
}

Criterion usability(const CriteriaInput& input)
{
  const Reader read(input);
  return {"usability",
          "Usability",
          "A fault is found, taken out, run and measured with little effort.",
          {read.median(
               "time of a proof",
               [](const FaultFacts& facts) {
                 return facts.proof_seconds > 0 ? std::optional(facts.proof_seconds) : std::nullopt;
               },
               "seconds",
               "median over faults of the wall time of all runs of a proof together"),
           read.share("can be run here",
                      &FaultFacts::can_run_here,
                      "its framework and data are installed on this machine"),
           {"checkout",
            "faultline checkout ID FOLDER",
            "",
            "program, test and how to run it, without the answer; with history if asked for",
            std::nullopt},
           {"exports",
            "CSV, JSON, JSON Lines",
            "",
            "of everything that a filter selects",
            std::nullopt},
           {"interfaces",
            "command line, HTTP, browser",
            "",
            "all over the same faults, runs and scores",
            std::nullopt}}};
}

} // namespace

double balance(const std::map<std::string, size_t>& counts, size_t values)
{
  double total = 0;
  for (const auto& [value, count] : counts) {
    total += static_cast<double>(count);
  }
  values = std::max(values, counts.size());
  if (total == 0 || values < 2) {
    return 0;
  }
  double entropy = 0;
  for (const auto& [value, count] : counts) {
    if (count > 0) {
      const double share = static_cast<double>(count) / total;
      entropy -= share * std::log(share);
    }
  }
  return entropy / std::log(static_cast<double>(values));
}

Result<FaultFacts> facts_of(const catalog::Fault& fault,
                            run::OutcomeStore& store,
                            const run::Environments& environments)
{
  FaultFacts facts;
  facts.published_labels = std::ranges::any_of(
      fault.parts, [](const catalog::Part& part) { return !part.labels.published.empty(); });
  facts.same_api = fault.realism.api == "same";
  facts.same_data = fault.realism.data == "same";
  facts.has_link = !fault.origin.url.empty();
  facts.pins_packages = std::ranges::all_of(fault.environments, [&](const std::string& name) {
    const auto* described = environment::find(environments.descriptions(), name);
    return described != nullptr && !described->packages.empty();
  });
  facts.has_alternatives = !fault.accepted.empty();
  facts.statistical = fault.oracle.statistical.has_value();
  facts.parts = fault.parts.size();
  FL_TRY(const source::Patch fix, catalog::fix_of(fault));
  facts.changed_lines = changed_lines(source::print_patch(fix));
  const Places places = places_of(fault, environments);
  facts.can_run_here = !lacking_for(fault, environments.get(places.proved_in.front()));
  FL_TRY(const std::optional<ProofRecord> record, recall(store, fault));
  if (!record) {
    return facts;
  }
  facts.seeds = record->seeds;
  FL_TRY(const std::vector<PlannedRun> planned,
         plan_proof(fault, places, std::max(1, record->seeds)));
  std::vector<FinishedRun> finished;
  for (const PlannedRun& plan : planned) {
    FL_TRY(const std::optional<run::StoredOutcome> stored,
           stored_outcome(fault, plan, environments, store));
    if (stored) {
      ++facts.proof_runs;
      facts.proof_seconds += stored->outcome.wall_seconds;
      finished.push_back({plan, stored->outcome, judge(fault, stored->outcome), true});
    }
  }
  if (finished.size() < planned.size()) {
    return facts; // nothing can be said about an incomplete proof
  }
  const Proof proof = conclude(fault, places, finished);
  facts.proved = proof.proved;
  facts.flaky = proof.flaky;
  facts.not_vacuous = holds(proof, "empty program fails") &&
                      holds(proof, "program that exits at once fails") &&
                      holds(proof, "verdicts swap with the versions");
  facts.symptom_shown = std::ranges::all_of(proof.checks, [](const Check& check) {
    return check.holds || !check.name.starts_with("log shows the symptom");
  });
  return facts;
}

std::vector<Criterion> criteria(const CriteriaInput& input, const catalog::Schemes& schemes)
{
  return {relevance(input, schemes),
          reproducibility(input),
          fairness(input, schemes),
          verifiability(input),
          usability(input)};
}

} // namespace faultline::proof
