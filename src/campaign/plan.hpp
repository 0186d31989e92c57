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
                                  const std::set<std::string>& files);

// What a plan leaves for the engine.
struct Plan {
  Data data;
  Coverage coverage;
};

// Before any variant runs: the clean program must end well and give every metric; coverage; the
// variants of every target that operators, coverage, caps and the sample size leave; their phases.
// Variants whose bytecode is that of the original are left out. Says what it does through `say`.
Result<Plan> make_plan(const Spec& spec,
                       const run::Environment& environment,
                       Engine& engine,
                       const std::function<void(std::string_view)>& say);

} // namespace faultline::campaign
