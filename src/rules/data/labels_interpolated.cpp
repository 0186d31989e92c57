#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

bool blends(const Call& call)
{
  constexpr std::string_view k_modes[] = {"linear", "bilinear", "bicubic", "trilinear", "area"};
  const auto mode = text_of(setting_of(call, {"mode"}));
  return call.is("upsample") && mode && std::ranges::find(k_modes, *mode) != std::end(k_modes);
}

// The target of some loss, or what it was made from by moving, casting or rounding.
bool is_target(const Program& program, const Call& call)
{
  return std::ranges::any_of(program.losses(), [&call](const LossUse& loss) {
    const auto* tensor = as<Tensor>(loss.target);
    for (int i = 0; i < 12 && tensor != nullptr; ++i) {
      const Call* producer = value_producer(tensor);
      if (producer == &call) {
        return true;
      }
      const bool goes_on =
          producer != nullptr && (producer->is("round") || producer->has(program::k_elementwise));
      tensor = goes_on ? producer->input() : nullptr;
    }
    return false;
  });
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* input = call.input();
    if (!blends(call) || input == nullptr || input->requires_grad == program::Truth::yes ||
        !is_target(program, call)) {
      continue;
    }
    // Whole numbers before: class indices or a mask that were cast for the interpolation.
    bool was_whole = false;
    for (const Tensor* tensor = input; tensor != nullptr && !was_whole;) {
      was_whole = tensor->dtype.is_integer() || tensor->dtype == program::DType::Kind::boolean;
      tensor = tensor->producer != nullptr ? tensor->producer->input() : nullptr;
    }
    if (was_whole) {
      const program::Argument* mode = written_setting(call, {"mode"});
      report.add(mode != nullptr ? mode->span : call.span, "interpolation invents labels")
          .label("halfway between class 2 and class 6 it puts class 4")
          .help("resize labels with `mode=\"nearest\"`")
          .cause(&call);
    }
  }
}

} // namespace

extern const Rule labels_interpolated{
    .name = "labels-interpolated",
    .summary = "Finds label maps that are resized by interpolation",
    .applies = "torch",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
