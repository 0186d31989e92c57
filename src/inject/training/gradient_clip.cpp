#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto change = [&found](const Argument* limit) {
    if (limit != nullptr) {
      const std::string less = scaled(limit->value, 0.01);
      rewrite(limit->value, less, limit->whole, found);
    }
  };
  for (const Call& call : code.calls()) {
    if (call.name == "torch.nn.utils.clip_grad_norm_") {
      change(call.find("max_norm", 1));
    } else if (call.name == "torch.nn.utils.clip_grad_value_") {
      change(call.find("clip_value", 1));
    } else if (makes_optimizer(call)) {
      change(call.find("clipnorm"));
      change(call.find("clipvalue"));
    }
  }
}

extern const Operator gradient_clip;
const Operator gradient_clip{
    .name = "change-gradient-clip",
    .acronym = "OCG",
    .summary = "Clips gradients at a different size",
    .type = "training/optimiser",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
