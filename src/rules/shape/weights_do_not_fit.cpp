#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// The shape that `layer.name` has, of PyTorch's dense layers; unknown for others.
static program::Shape shape_of(const Instance& layer, std::string_view name)
{
  using program::Dim;
  using program::Shape;
  if (layer.api == nullptr || layer.api->op != "dense" || layer.made_by == nullptr ||
      !layer.api->name.starts_with("torch.")) {
    return Shape::top();
  }
  const auto size = [&layer](std::string_view parameter) {
    const std::optional<int64_t> value = int_of(layer.made_by->arg(parameter));
    return value ? Dim::constant(*value) : Dim::top();
  };
  if (name == "weight") {
    return Shape::of({size("out_features"), size("in_features")});
  }
  return name == "bias" ? Shape::of({size("out_features")}) : Shape::top();
}

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::weights_shape);
  for (const program::Store& store : program.stores()) {
    const auto* layer = program::as<Instance>(store.object);
    const auto* value = program::as<Tensor>(store.value);
    if (layer == nullptr || value == nullptr) {
      continue;
    }
    const program::Shape wanted = shape_of(*layer, store.name);
    if (wanted.compare(value->shape) == program::Dim::Comparison::different) {
      report
          .add(
              store.span,
              format("`{}` is {}, but is given {}", store.name, wanted.text(), value->shape.text()))
          .note(layer->made_by->span, "the layer is made here")
          .help("PyTorch keeps dense weights as (out, in): transpose them");
    }
  }
}

extern const Rule weights_do_not_fit{
    .name = "weights-do-not-fit",
    .summary = "Finds weights that are set with the wrong shape or number",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-format-of-passed-weights",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
