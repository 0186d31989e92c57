#pragma once

#include "campaign/engine.hpp"
#include "campaign/store.hpp"

#include <functional>
#include <string_view>

namespace faultline::campaign {

// Before any variant runs: the clean program must end well and give every metric; coverage; the
// variants of every target that operators, coverage, caps and the sample size leave; their phases.
// Variants whose bytecode is that of the original are left out. Says what it does through `say`.
Result<Data> make_plan(const Spec& spec,
                       const run::Environment& environment,
                       Engine& engine,
                       const std::function<void(std::string_view)>& say);

} // namespace faultline::campaign
