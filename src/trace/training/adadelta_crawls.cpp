#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const auto found = std::ranges::find_if(trace.optimizers(), [](const Optimizer& optimizer) {
    return mentions(optimizer.kind, {"adadelta"});
  });
  const Progress progress = progress_of(trace);
  if (found == trace.optimizers().end() || !progress.known || last_step(trace) < 50 ||
      (last_step(trace) < 200 && !trace.ended())) {
    return;
  }
  double largest = 0;
  bool seen = false;
  for (const auto& [key, series] : trace.all_series()) {
    const auto& weights = trace.series(key.layer, Role::weight, key.slot);
    if (key.role != Role::update || key.slot != 0 || weights.empty() ||
        !(weights.back().norm > 1e-6)) {
      continue;
    }
    seen = true;
    largest = std::max(largest, series.back().norm / weights.back().norm);
  }
  const bool hardly_falls = progress.last > 0.75 * progress.first && !(progress.accuracy > 0.9);
  if (hardly_falls && (!seen || largest < 1e-2)) {
    report.at(found->site, last_step(trace), "Adadelta's steps are too small to make progress")
        .evidence(format("loss {} at the start, {} at step {}",
                         number(progress.first),
                         number(progress.last),
                         last_step(trace)))
        .evidence(seen ? format("the largest change of a layer in one step: {} of its weights",
                                number(largest))
                       : std::string("learning rate ") + number(setting(found->settings, "lr")))
        .help("use Adam, or a much larger learning rate: Adadelta's first steps are as small as "
              "its epsilon");
  }
}

extern const Symptom adadelta_crawls{
    .name = "adadelta-crawls",
    .summary = "Finds Adadelta runs whose steps are too small to make progress",
    .type = "training/optimiser/wrong-optimisation-function",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR018 TR017 TR029",
    .check = check,
};

} // namespace faultline::trace
