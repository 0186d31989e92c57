#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Loss& loss : training_losses_of(code)) {
    const std::string mean = bracketed(loss.prediction) + ".mean()";
    rewrite(loss.call.node, mean, loss.call.node, found);
  }
  for (const Call& call : code.calls()) {
    const Argument* loss = is_compile(code, call) ? call.find("loss") : nullptr;
    if (loss != nullptr) {
      found.push_back(mutation({remove_item(loss->whole)}, loss->whole.text(), ""));
    }
  }
}

extern const Operator no_loss;
const Operator no_loss{
    .name = "remove-loss",
    .acronym = "",
    .summary = "Trains without a loss",
    .type = "training/loss-function/missing-loss-function",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
