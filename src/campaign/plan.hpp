#pragma once

#include "campaign/engine.hpp"
#include "campaign/store.hpp"

#include <functional>
#include <string_view>

namespace faultline::campaign {

// One run of the clean program under coverage.py, its contexts telling phases and segments apart.
// `files` limits it to those (own and library files, as in a Variant). See
// probes/campaign_coverage.py.
Result<Coverage> measure_coverage(const Spec& spec,
                                  const run::Environment& environment,
                                  const std::set<std::string>& files,
                                  run::Isolation isolation = run::Isolation::sandbox);

// What a plan leaves for the engine.
struct Plan {
  Data data; // with the clean runs, judged
  Coverage coverage;
  std::vector<std::string> clean_logs; // of data.clean
  FileTree originals;                  // files that variants change, by `original_key`
};

// Library files and own files in one tree: "own/train.py", "lib/torch/nn/functional.py".
std::string original_key(const inject::Variant& variant);

struct PlanOptions {
  run::Isolation isolation = run::Isolation::sandbox;
  std::optional<size_t> most_variants; // a random sample of so many
  // A clean run that still holds, by its repeat; it is not run again.
  std::function<Result<std::optional<Observed>>(int repeat)> known_clean = [](int) {
    return Result<std::optional<Observed>>(std::nullopt);
  };
};

// The phases that execute the line of `variant`, in the order of the campaign file.
std::vector<std::string>
phases_of(const Spec& spec, const Coverage& coverage, const inject::Variant& variant);

// Before any variant runs: the clean program must end well and give every metric; coverage; the
// variants of every target that operators, coverage, caps and the sample size leave; their phases.
// Variants whose bytecode is that of the original are left out. Says what it does through `say`.
Result<Plan> make_plan(const Spec& spec,
                       const run::Environment& environment,
                       Engine& engine,
                       const std::function<void(std::string_view)>& say,
                       const PlanOptions& options = {});

// The last line of a log that has something on it.
std::string last_line(std::string_view log);

// "2 × AMD EPYC 7763, 24 GiB, Linux 6.1.0"
std::string describe_machine();

// As a note of the store.
std::string print_coverage(const Coverage& coverage);
Result<Coverage> parse_coverage(const std::string& text);

} // namespace faultline::campaign
