#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

namespace {

// The last two sizes of both are the same: a map of labels for these targets.
bool same_place(const Json& shape, const std::vector<int64_t>& target)
{
  constexpr size_t k_axes = 2;
  if (!shape.is_array() || shape.size() < k_axes || target.size() < k_axes) {
    return false;
  }
  for (size_t i = 1; i <= k_axes; ++i) {
    const Json& size = shape[shape.size() - i];
    if (!size.is_number_integer() || size != target[target.size() - i]) {
      return false;
    }
  }
  return true;
}

bool is_target(const Observation& use, const LossUse& loss)
{
  const double low = setting(use.values, "low"), high = setting(use.values, "high");
  if (!loss.target || use.values.find("shape") == use.values.end() ||
      !same_place(use.values["shape"], loss.target->shape)) {
    return false;
  }
  // Images are often scaled to 0 to 1, but hardly ever have nothing between.
  const bool is_input = high > 1 && loss.input && loss.input->max == high && loss.input->min == low;
  return !is_input && loss.target->min >= low && loss.target->max <= high;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation* use : observations_of(trace, "labels-blended")) {
    const std::string mode = text_of(use->values, "mode");
    for (const LossUse* loss : training_losses(trace)) {
      if (!is_target(*use, *loss)) {
        continue;
      }
      report
          .at(*use,
              format("labels are resized with `{}`, which makes up labels in between",
                     mode.empty() ? "linear" : mode))
          .evidence(format("{} integers from {} to {} become fractions",
                           number(setting(use->values, "labels")),
                           number(setting(use->values, "low")),
                           number(setting(use->values, "high"))))
          .help("resize labels with `mode=\"nearest\"`");
      return;
    }
  }
}

extern const Symptom labels_blended{
    .name = "labels-blended",
    .summary = "Finds label maps that are resized by interpolation",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
