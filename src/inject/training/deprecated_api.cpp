#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const Argument* rate =
        call.name.starts_with("keras.optimizers.") ? call.find("learning_rate") : nullptr;
    if (call.name == ".item" && call.arguments.empty() && code.uses("torch")) {
      const std::string old = format("{}.data[0]", call.callee.child("object")->text());
      rewrite(call.node, old, call.node, found);
    } else if (rate != nullptr) {
      const std::string old = format("lr={}", rate->value.text());
      rewrite(rate->whole, old, rate->whole, found);
    } else if (call.name == "torch.nn.utils.clip_grad_norm_") {
      const std::string old = code.spelled("torch.nn.utils.clip_grad_norm");
      rewrite(call.callee, old, call.callee, found);
    }
  }
}

extern const Operator deprecated_api;
const Operator deprecated_api{
    .name = "use-removed-api",
    .acronym = "",
    .summary = "Calls a function by its name in older versions",
    .type = "api/deprecated-api",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
