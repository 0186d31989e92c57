#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const Argument* given =
        layer.framework == Framework::keras ? layer.call.find("kernel_regularizer") : nullptr;
    if (given == nullptr) {
      continue;
    }
    const std::optional<std::string> word = string_of(given->value);
    if (word == "l1" || word == "l2") {
      const std::string other = word == "l1" ? "\"l2\"" : "\"l1\"";
      rewrite(given->value, other, given->whole, found);
    }
    const Call* call = code.call_at(given->value);
    const std::string_view last = call != nullptr ? call->last() : std::string_view();
    if (last == "l1" || last == "l2" || last == "L1" || last == "L2") {
      std::string other(call->callee.text());
      other.back() = other.back() == '1' ? '2' : '1';
      other = call->callee.kind() == "identifier"
                  ? code.spelled(format("keras.regularizers.{}", other))
                  : other;
      rewrite(call->callee, other, given->whole, found);
    }
  }
  for (const Call& call : code.calls()) {
    const Argument* decay = makes_torch_optimizer(call) ? call.find("weight_decay") : nullptr;
    if (decay != nullptr && number_of(decay->value) != 0.0) {
      const std::string more = scaled(decay->value, 10);
      rewrite(decay->value, more, decay->whole, found);
    }
  }
}

extern const Operator change_regularisation;
const Operator change_regularisation{
    .name = "change-weight-regularisation",
    .acronym = "RCW",
    .summary = "Penalises large weights differently",
    .type = "training/hyperparameters",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
