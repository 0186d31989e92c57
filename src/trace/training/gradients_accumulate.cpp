#include "trace/facts.hpp"
#include "trace/fields.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* cleared = trace.experiment("zero-grad");
  const double calls = cleared == nullptr ? k_unknown : setting(cleared->values, "calls");
  const double steps = cleared == nullptr ? k_unknown : setting(cleared->values, "steps");
  // Steps that began with the gradients of the one before, where the probe has looked.
  const double left = cleared == nullptr ? k_unknown : setting(cleared->values, "left");
  // One call before the loop clears nothing inside it. With several optimizers, each sees gradients
  // of the others.
  const bool kept = trace.optimizers().size() == 1 && 2 * left >= steps;
  if (!(steps >= 5) || !(calls <= 1 || kept) || left < steps / 2) {
    return;
  }
  // A program may clear gradients by hand; then they do not add up.
  bool grows = false;
  bool seen = false;
  for (const auto& [key, series] : trace.all_series()) {
    if (key.role == Role::gradient && key.slot == 0 && series.size() >= 3 &&
        series.front().norm > 0) {
      seen = true;
      grows =
          grows || series[std::min<size_t>(series.size() - 1, 9)].norm > 2 * series.front().norm;
    }
  }
  if (seen && !grows && !kept) {
    return;
  }
  Site site = trace.optimizers().empty() ? Site() : trace.optimizers().front().site;
  Fields(cleared->values).read("site", site); // of backward(), where the probe knows it
  report
      .at(site,
          static_cast<uint32_t>(std::min(steps, 1e9)),
          "gradients are never cleared: every step adds to those of all earlier steps")
      .evidence(format("{} calls of zero_grad in {} steps", calls, steps))
      .help("call optimizer.zero_grad() once a step, before backward()");
}

extern const Symptom gradients_accumulate{
    .name = "gradients-accumulate",
    .summary = "Finds gradients that are never cleared between steps",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR016 TR017 TR018 TR019 TR020",
    .check = check,
};

} // namespace faultline::trace
