#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Truth;

// Operations whose derivative is computed from their own result.
static bool keeps_result(const Call& call)
{
  constexpr std::string_view k_ops[] = {
      "sigmoid", "tanh", "exp", "softmax", "log_softmax", "sqrt", "rsqrt", "reciprocal"};
  return std::ranges::find(k_ops, call.op()) != std::end(k_ops);
}

static void check(const Program& program, Reporter& report)
{
  const History history(program);
  const auto trained = trained_calls(program, history);
  for (const Call& call : program.calls()) {
    const Tensor* changed = changed_tensor(call);
    const Call* maker = changed != nullptr ? changed->producer : nullptr;
    if (maker == nullptr || changed->library != program::Library::torch ||
        changed->requires_grad != Truth::yes || !keeps_result(*maker) || gradient_off(call) ||
        !trained.contains(maker) || call.name.ends_with(".requires_grad_") ||
        call.name.ends_with(".detach_")) {
      continue;
    }
    report
        .add(call.span,
             format("changes the result of `{}`, which its gradient is computed from",
                    written(program, *maker)))
        .note(maker->span, "computed here")
        .help("compute a new tensor instead: `y = y + 1` for `y += 1`")
        .cause(&call);
  }
}

extern const Rule in_place_on_saved_result{
    .name = "in-place-on-saved-result",
    .summary = "Finds results that are changed in place although their gradient needs them",
    .applies = "torch",
    .type = "training/training-process/wrong-calculation-of-the-gradients-for-backpropagation",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
