#pragma once

// One template: the clean program in a sandbox, which forks where variants begin. See
// `probes/faultline_campaign/template.py`.

#include "base/json.hpp"
#include "base/result.hpp"
#include "run/environment.hpp"
#include "run/fd.hpp"
#include "run/outcome.hpp"
#include "run/task_limit.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

struct TemplateOrder {
  Json json; // all that the probe needs but the limits
  std::vector<run::Mount> mounts;
  run::Limits limits; // of each variant, from the program's start
};

// What one fork came to. A variant that is put off ends twice.
struct ForkEnd {
  size_t variant = 0;
  std::string kind; // "function", "defaults", "module", "deferred"
  double prefix_seconds = 0;
  run::RunOutcome outcome;
  Json result; // the probe's own words; null if the process was killed
};

enum class NextStep { go_on, put_off };

// Run a template to its end. `on_end` is told of each variant that ran and says whether to put it
// off. Returns the variants that have to be started cold, with the reason: those that could not be
// forked, and all that were left when the template was lost.
struct LeftOver {
  size_t variant = 0;
  std::string reason;
};
Result<std::vector<LeftOver>> run_template(const run::Environment& environment,
                                           const TemplateOrder& order,
                                           const std::function<NextStep(ForkEnd)>& on_end);

} // namespace faultline::campaign
