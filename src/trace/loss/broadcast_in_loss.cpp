#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  for (const LossUse& use : trace.losses()) {
    if (family_of(use) != LossFamily::difference || !use.prediction || !use.target) {
      continue;
    }
    const std::vector<int64_t>& a = use.prediction->shape;
    const std::vector<int64_t>& b = use.target->shape;
    if (a == b || a.empty() || b.empty()) {
      continue;
    }
    std::vector<int64_t> together(std::max(a.size(), b.size()));
    for (size_t i = 0; i < together.size(); ++i) {
      const int64_t one = i < a.size() ? a[a.size() - 1 - i] : 1;
      const int64_t two = i < b.size() ? b[b.size() - 1 - i] : 1;
      together[together.size() - 1 - i] = std::max(one, two);
    }
    if (elements(together) <= std::max(elements(a), elements(b)) || elements(a) < 0 ||
        elements(b) < 0) {
      continue;
    }
    report
        .at(use.site,
            use.step,
            format("the loss compares every prediction with every target: {} against {}",
                   print_shape(a),
                   print_shape(b)))
        .evidence(format("broadcast to {}", print_shape(together)))
        .help("give both the same shape, for instance with squeeze(1) or unsqueeze(1)");
  }
}

extern const Symptom broadcast_in_loss{
    .name = "broadcast-in-loss",
    .summary = "Finds a prediction and a target that are compared each with each",
    .leaf = "I02",
    .fix = "DD",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR018 TR024 TR021",
    .check = check,
};

} // namespace faultline::trace
