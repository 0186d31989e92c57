#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

using program::as;
using program::Dim;

// F of view(-1, F).
static std::optional<int64_t> width_of(const Call& call)
{
  std::vector<Ref> sizes;
  for (const auto* list : {&call.arguments, &call.surplus}) {
    for (const program::Argument& argument : *list) {
      if (const auto* several = as<program::Sequence>(argument.value)) {
        sizes.insert(sizes.end(), several->items.begin(), several->items.end());
      } else if (argument.given && as<Tensor>(argument.value) == nullptr) {
        sizes.push_back(argument.value);
      }
    }
  }
  return sizes.size() == 2 && int_of(sizes[0]) == -1 ? int_of(sizes[1]) : std::nullopt;
}

// The features of one sample in (batch, …); nothing if some size is not known.
static std::optional<int64_t> features_of(const program::Shape& shape)
{
  std::optional<int64_t> product = 1;
  for (size_t i = 1; i < shape.dims().size() && product; ++i) {
    const auto size = shape.dims()[i].constant();
    product = size ? std::optional(*product * *size) : std::nullopt;
  }
  return product;
}

// F is what the last axes hold together: (batch, steps, F) becomes (batch * steps, F).
static bool keeps_last_axes(const program::Shape& shape, int64_t width)
{
  int64_t product = 1;
  for (size_t i = shape.dims().size(); i-- > 1;) {
    product *= shape.dims()[i].constant().value_or(0);
    if (product == width) {
      return true;
    }
  }
  return false;
}

static bool is_framework(const Tensor& tensor)
{
  return tensor.library == program::Library::torch ||
         tensor.library == program::Library::tensorflow;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* input = call.is("reshape") ? call.input() : nullptr;
    if (input == nullptr || !input->shape.has_rank() || *input->shape.rank() < 3 ||
        !is_framework(*input)) {
      continue;
    }
    const auto width = width_of(call);
    const auto features = features_of(input->shape);
    if (!width || !features || *width <= 1 || keeps_last_axes(input->shape, *width)) {
      continue;
    }
    // Feature maps that become rows: what learns from them works on one sample each.
    const Call* producer = value_producer(input);
    const bool is_map =
        producer != nullptr &&
        (producer->has(program::k_convolution) || producer->has(program::k_pooling) ||
         producer->has(program::k_activation) || producer->has(program::k_normalising));
    if (!is_map) {
      continue;
    }
    report
        .add(call.span,
             format("rows of {} features, but each sample of {} has {}",
                    *width,
                    input->shape.text(),
                    *features))
        .label("cuts the batch at other places than between samples")
        .help(format("keep the batch axis: `x.view(x.size(0), -1)` gives {} features", *features))
        .cause(&call);
  }
}

extern const Rule view_changes_batch{
    .name = "view-changes-batch",
    .summary = "Finds view(-1, F) with an F that is not the number of features of a sample",
    .applies = "torch tf1 tf2",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "layer-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
