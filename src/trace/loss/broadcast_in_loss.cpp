#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static std::vector<int64_t> shape_of(const Json& values, const char* key)
{
  std::vector<int64_t> shape;
  const auto found = values.find(key);
  for (const Json& size : found != values.end() ? *found : Json::array()) {
    shape.push_back(size.is_number_integer() ? size.get<int64_t>() : 0);
  }
  return shape;
}

static void check(const Trace& trace, Reporter& report)
{
  constexpr const char* k_help =
      "give both the same shape, for instance with squeeze(1) or unsqueeze(1)";
  for (const Observation* use : observations_of(trace, "compared-each-with-each")) {
    report
        .at(*use,
            format("every prediction is compared with every target: {} against {}",
                   print_shape(shape_of(use->values, "prediction")),
                   print_shape(shape_of(use->values, "target"))))
        .evidence("the difference has a row and a column for each sample")
        .help(k_help);
  }
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
        .help(k_help);
  }
}

extern const Symptom broadcast_in_loss{
    .name = "broadcast-in-loss",
    .summary = "Finds a loss that compares every prediction with every target",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR009 TR010 TR018 TR021 TR024",
    .check = check,
};

} // namespace faultline::trace
