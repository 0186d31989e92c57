#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// `value` is `from`, or was made from it by calls that keep the order.
static bool comes_from(Ref value, Ref from)
{
  constexpr int k_deepest = 32;
  for (int depth = 0; value != nullptr && depth < k_deepest; ++depth) {
    if (value == from) {
      return true;
    }
    const auto* tensor = program::as<Tensor>(value);
    if (tensor == nullptr) {
      return false;
    }
    if (tensor->literal != nullptr && tensor->literal == from) {
      return true;
    }
    if (tensor->producer == nullptr) {
      return false;
    }
    const Call& call = *tensor->producer;
    if (!call.arguments.empty() && call.arguments.front().value == from) {
      return true;
    }
    value = call.input();
  }
  return false;
}

static Ref shuffled_by(const Call& call)
{
  const bool in_place = call.name == "numpy.random.shuffle" || call.name == "random.shuffle";
  return in_place && !call.arguments.empty() ? call.arguments.front().value : nullptr;
}

// The generator is set to the same seed before each of two shuffles.
static bool is_seeded_before(const Program& program, const Call& shuffle)
{
  for (const Call& call : program.calls()) {
    if (call.order + 1 == shuffle.order && call.is("seed")) {
      return true;
    }
  }
  return false;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& shuffle : program.calls()) {
    const Ref labels = shuffled_by(shuffle);
    if (labels == nullptr || is_seeded_before(program, shuffle)) {
      continue;
    }
    for (const Call& fit : program.calls()) {
      if (!fit.is("fit") || fit.order < shuffle.order || fit.arg("x") == nullptr ||
          fit.arg("y") == nullptr || !comes_from(fit.arg("y"), labels) ||
          comes_from(fit.arg("x"), labels)) {
        continue;
      }
      report.add(shuffle.span, "the labels are shuffled without their samples")
          .note(fit.span, "trained here")
          .help("shuffle samples and labels with one permutation: `p = "
                "np.random.permutation(len(x)); x, y = x[p], y[p]`")
          .cause(&shuffle);
      break;
    }
  }
}

extern const Rule labels_shuffled_alone{
    .name = "labels-shuffled-alone",
    .summary = "Finds labels that are shuffled without their samples",
    .applies = "any",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
