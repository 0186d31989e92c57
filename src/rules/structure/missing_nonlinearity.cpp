#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/edits.hpp"
#include "rules/structure/layers.hpp"
#include "rules/structure/networks.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

namespace {

// Maps that are linear, or nearly so: a network of them is no more than a linear map.
bool is_linear(const Call& call)
{
  constexpr std::array<std::string_view, 9> k_ops = {
      "linear", "add", "sub", "mul", "div", "cast", "identity", "upsample", "batch_norm"};
  return call.has(program::k_reshaping) || call.has(program::k_dropping) || is_pooling(call) ||
         std::ranges::find(k_ops, call.op()) != k_ops.end();
}

// Projections, depthwise and factorised convolutions are linear on purpose.
bool is_part_of_convolution(const Call& call)
{
  if (!is_convolution(call)) {
    return false;
  }
  const auto kernel = kernel_of(call);
  const auto groups = int_of(setting_of(call, {"groups"}));
  return call.is("depthwise_conv") || !kernel || (groups && *groups > 1) ||
         std::ranges::any_of(*kernel, [](int64_t size) { return size == 1; });
}

// A narrow layer between two wide ones: a linear code, or a matrix of low rank as two factors.
bool is_bottleneck(const Call& first, const Call& second)
{
  const Tensor* input = data_input(first);
  const auto before = input != nullptr ? input->shape.at(-1).constant() : std::nullopt;
  const auto width = units_of(first);
  const auto after = units_of(second);
  return before && width && after && *width * 2 <= *before && *width * 2 <= *after;
}

// What attention gives is mixed once more, by convention without an activation.
bool projects_attention(const Call& layer)
{
  const Call* call = call_before(layer);
  while (call != nullptr && call->has(program::k_reshaping)) {
    call = call_before(*call);
  }
  constexpr std::array<std::string_view, 5> k_ops = {
      "matmul", "einsum", "attention", "transformer", "dot"};
  return call != nullptr && !is_dense(*call) && std::ranges::find(k_ops, call->op()) != k_ops.end();
}

bool is_meant(const Call& first, const Call& second, bool with_max_pooling)
{
  const bool both_convolve = is_convolution(first) && is_convolution(second);
  const bool both_dense = is_dense(first) && is_dense(second);
  return is_part_of_convolution(first) || is_part_of_convolution(second) ||
         (is_dense(first) && is_convolution(second)) || (both_convolve && with_max_pooling) ||
         (both_dense && is_bottleneck(first, second)) || projects_attention(first);
}

// The layer that `second` is applied to with only linear maps in between.
const Call* layer_without_activation(const Call& second)
{
  bool with_max_pooling = false;
  const Call* call = call_before(second);
  while (call != nullptr && !is_mixing(*call)) {
    if (!is_linear(*call)) {
      return nullptr;
    }
    with_max_pooling |= call->is("max_pool") || call->is("adaptive_max_pool");
    call = call_before(*call);
  }
  return call != nullptr && !is_meant(*call, second, with_max_pooling) ? call : nullptr;
}

void offer_activation(const Program& program, const Call& layer, Draft& draft)
{
  const Call& made = constructor_of(layer);
  const bool takes_word = layer.name.starts_with("keras.layers.");
  if (takes_word && made.argument("activation") != nullptr) {
    set_argument(program, made, "activation", "'relu'", draft);
    draft.unsafe("pass `activation='relu'`");
  }
}

// A product with a matrix of weights, written out in PyTorch, is a projection of attention or of a
// graph: linear on purpose.
bool is_projection(const Call& first)
{
  return first.layer == nullptr && first.name.starts_with("torch.");
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program) || has_two_optimizers(program)) {
    return; // networks that feed each other have activations of their own choosing
  }
  for (const Call& second : program.calls()) {
    const Call* first = is_mixing(second) ? layer_without_activation(second) : nullptr;
    if (first == nullptr || is_projection(*first)) {
      continue;
    }
    Draft& draft =
        report
            .add(first->span,
                 format("no activation between this `{}` and the next `{}`: together they are one "
                        "linear map",
                        written(program, *first),
                        written(program, second)))
            .note(second.span, "the next layer is here")
            .help("put an activation such as ReLU behind every layer but the last");
    offer_activation(program, *first, draft);
  }
}

extern const Rule missing_nonlinearity{
    .name = "missing-nonlinearity",
    .summary = "Finds two layers with weights and no activation between them",
    .applies = "any",
    .type = "model/layers/activation-function/missing-relu-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
