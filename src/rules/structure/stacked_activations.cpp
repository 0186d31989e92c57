#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

namespace {

template <size_t N> bool is_one_of(const Call& call, const std::array<std::string_view, N>& ops)
{
  return std::ranges::find(ops, call.op()) != ops.end();
}

constexpr std::array<std::string_view, 2> k_rectifiers = {"relu", "relu6"};
constexpr std::array<std::string_view, 8> k_squashing = {"sigmoid",
                                                         "hard_sigmoid",
                                                         "tanh",
                                                         "hard_tanh",
                                                         "softsign",
                                                         "softmax",
                                                         "log_softmax",
                                                         "log_sigmoid"};
constexpr std::array<std::string_view, 2> k_normalised = {"softmax", "log_softmax"};

bool keeps_values(const Call& call)
{
  return call.has(program::k_reshaping) || call.has(program::k_dropping) || call.is("cast") ||
         call.is("contiguous") || call.is("to_device");
}

// The activation that `outer` surely sees the values of. A tensor that two branches left behind is
// not the result of the call that it names.
const Call* inner_activation(const Call& outer)
{
  const Tensor* tensor = data_input(outer);
  while (tensor != nullptr && tensor->producer != nullptr) {
    const Call& call = *tensor->producer;
    if (call.result != tensor) {
      return nullptr;
    }
    if (is_nonlinear(call)) {
      return &call;
    }
    tensor = keeps_values(call) ? data_input(call) : nullptr;
  }
  return nullptr;
}

// Weights of an attention are scores that were squashed on purpose, normalised, then multiplied.
bool feeds_product(const Program& program, const Tensor* tensor)
{
  constexpr program::WalkLimits k_near = {.depth = 7};
  constexpr std::array<std::string_view, 6> k_products = {
      "mul", "multiply", "matmul", "dot", "einsum", "tensordot"};
  return program::walk(
      tensor,
      false,
      [&](const Tensor* one, auto& into) {
        return std::ranges::any_of(program.consumers(one), [&](const Call* user) {
          return is_one_of(*user, k_products) ||
                 (keeps_values(*user) && into(program::as<Tensor>(user->result)));
        });
      },
      program::Again::reuse,
      k_near);
}

// The outer function cannot reach its range, or forgets what the inner one did.
bool does_harm(const Call& outer, const Call& inner)
{
  if (is_one_of(outer, k_squashing)) {
    const bool is_repeated = inner.is("log_softmax") && is_one_of(outer, k_normalised);
    return !is_repeated && (is_one_of(inner, k_squashing) || is_one_of(inner, k_rectifiers));
  }
  return is_one_of(outer, k_rectifiers) && is_one_of(inner, k_squashing);
}

std::string consequence(const Call& outer, const Call& inner)
{
  if (inner.is("relu") && (outer.is("sigmoid") || outer.is("hard_sigmoid"))) {
    return ", so the result is never below 0.5";
  }
  if (inner.is("relu") && outer.is("tanh")) {
    return ", so the result is never negative";
  }
  if (inner.is("relu") && is_one_of(outer, k_normalised)) {
    return ", so all negative scores count the same";
  }
  if (inner.is("softmax") && is_one_of(outer, k_normalised)) {
    return ", so the probabilities become nearly equal";
  }
  return "";
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  for (const Call& outer : program.calls()) {
    const Call* inner = is_nonlinear(outer) ? inner_activation(outer) : nullptr;
    if (inner == nullptr || inner->span == outer.span ||
        (outer.is("softmax") && feeds_product(program, program::as<Tensor>(outer.result)))) {
      continue;
    }
    Draft& draft =
        report
            .add(outer.span,
                 format("{} of {}{}", outer.op(), inner->op(), consequence(outer, *inner)))
            .note(inner->span, "the first activation is here")
            .help("keep only one of the two activations");
    if (!does_harm(outer, *inner)) {
      draft.severity(Severity::info);
    }
    if (is_one_of(outer, k_normalised) && is_one_of(*inner, k_normalised)) {
      draft.type("model/layers/missing-redundant-wrong-layer/redundant-softmax-layer");
    }
  }
}

extern const Rule stacked_activations{
    .name = "stacked-activations",
    .summary = "Finds an activation that is applied to the output of another",
    .applies = "any",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
