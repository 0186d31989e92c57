#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/head.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// The axis that is normalised. PyTorch chose it by the rank before it had to be given.
static std::optional<int64_t> softmax_axis(const Call& softmax, size_t rank)
{
  const Ref axis = setting_of(softmax, {"axis", "dim"});
  if (axis == nullptr || axis->kind == program::Kind::none) {
    return softmax.name.starts_with("torch") ? (rank == 3 ? 0 : 1) : -1;
  }
  return int_of(axis);
}

// The axis of features has one element; a batch of one is nobody's fault.
static bool is_over_one(const Call& softmax)
{
  const Tensor* input = data_input(softmax);
  if (input == nullptr || !input->shape.has_rank()) {
    return false;
  }
  const auto axis = softmax_axis(softmax, *input->shape.rank());
  const auto place = axis ? input->shape.axis(*axis) : std::nullopt;
  return place && *place > 0 && input->shape.dims()[*place].is(1);
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!(call.is("softmax") || call.is("log_softmax")) || !is_over_one(call)) {
      continue;
    }
    // Scores of an attention over a single step are no fault of the layer.
    const Head head = head_of(data_input(call));
    if (head.layer == nullptr || head.activation != nullptr || units_of(*head.layer) != 1) {
      continue;
    }
    Draft& draft = report.add(call.span,
                              format("softmax over one unit is always {}, so nothing is learned",
                                     call.is("softmax") ? "1" : "0"));
    draft.help("use a sigmoid, or one unit for each class");
    if (!call.span.contains(head.layer->span) && !head.layer->span.contains(call.span)) {
      draft.note(head.layer->span, format("`{}` has one unit", written(program, *head.layer)));
    }
    const std::string_view text = program.text(call.span);
    if (text == "'softmax'" || text == "\"softmax\"") {
      draft.replace(call.span, "'sigmoid'").unsafe("use a sigmoid");
    }
  }
}

extern const Rule softmax_over_one_unit{
    .name = "softmax-over-one-unit",
    .summary = "Finds a softmax over a single unit, which is always 1",
    .applies = "any",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
