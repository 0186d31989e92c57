#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

// x - mean(x) is divided, or what is left of x after `x -= mean(x)`.
bool is_centred(const Tensor* tensor)
{
  const Call* const call = numeric::maker(tensor);
  return call != nullptr && (call->is("sub") || call->is("subtract"));
}

// Pixels at the border of these images have the same value in every sample.
bool has_constant_pixels(const Tensor* images)
{
  return images != nullptr && images->source != nullptr && images->source->name == "mnist" &&
         images->source->part == program::DataSource::Part::features;
}

std::optional<std::string_view>
danger_of(const Call& division, const Operand& divisor, const Call& spread)
{
  const Tensor* const samples = numeric::operand(spread, 0).tensor;
  if (numeric::is_numpy(samples)) {
    const Ref axis = spread.arg("axis");
    return has_constant_pixels(samples) && axis != nullptr && numeric::number_in(axis) == 0.0
               ? std::optional<std::string_view>("0 for pixels that are the same in every image")
               : std::nullopt;
  }
  const bool is_per_feature = numeric::has_axis(spread) || spread.is("moments");
  if (is_per_feature && numeric::reaches_zero(divisor) && samples != nullptr &&
      numeric::may_learn(samples) && numeric::depends_on_activations(samples)) {
    return "0 where all values are the same, as behind a dead relu or in a batch of one";
  }
  // The returns of an episode, whose length is not known: of one number there is no deviation.
  const Tensor* const list = numeric::held(samples);
  const bool is_list = list != nullptr && list->shape.rank() == 1 &&
                       !list->shape.at(0).constant() && list->library == program::Library::torch &&
                       list->producer != nullptr &&
                       (list->producer->is("constant") || list->producer->is("from_array"));
  if (is_list && !is_per_feature && division.within(program::Context::Kind::loop) != nullptr) {
    return "NaN for a single number, 0 for equal ones";
  }
  return std::nullopt;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Operand divisor = call.is("div") ? numeric::operand(call, 1) : Operand();
    const Call* const spread = numeric::deviation_source(divisor.tensor);
    if (spread == nullptr || !is_centred(numeric::operand(call, 0).tensor) ||
        numeric::is_compared_with_zero(program, divisor.tensor)) {
      continue;
    }
    const auto danger = danger_of(call, divisor, *spread);
    if (!danger) {
      continue;
    }
    const Call* const root = numeric::maker(divisor.tensor);
    report.add(divisor.span, "division by a standard deviation that may be 0")
        .label(std::string(*danger))
        .help("add a small constant: `(x - mean) / (std + 1e-8)`")
        .type(numeric::type_of(program, call))
        .cause(root->is("sqrt") ? numeric::held(numeric::operand(*root, 0).tensor)
                                : numeric::held(divisor.tensor));
  }
}

} // namespace

extern const Rule division_by_deviation{
    .name = "division-by-deviation",
    .summary = "Finds standardisation by a deviation that may be 0",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .rank = numeric::k_known_formula,
    .check = check,
};

} // namespace faultline::rules
