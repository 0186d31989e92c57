#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool is_loss = call.name.starts_with("torch.nn.") && call.name.ends_with("Loss");
    const bool is_function =
        call.name.starts_with("torch.nn.functional.") &&
        (call.name.ends_with("_loss") || call.name.find("cross_entropy") != std::string::npos);
    if (setting == "sum" && (is_loss || is_function) && !call.has_stars) {
      const Argument* reduction = call.find("reduction");
      const std::optional<std::string> now =
          reduction != nullptr ? string_of(reduction->value) : std::nullopt;
      if (reduction == nullptr) {
        found.push_back(mutation(
            {add_argument(call, "reduction=\"sum\"")}, call.node.text(), "reduction=\"sum\""));
      } else if (now == "mean") {
        found.push_back(mutation(
            {replace(reduction->value, "\"sum\"")}, call.node.text(), "reduction=\"sum\""));
      }
    }
    if (setting == "sign" && call.last() == "backward" && call.callee.kind() == "attribute") {
      const Node object = *call.callee.child("object");
      const std::string negative = format("(-{})", object.text());
      rewrite(object, negative, call.node, found);
    }
  }
}

extern const Operator loss_calculation;
const Operator loss_calculation{
    .name = "miscalculate-loss",
    .acronym = "",
    .summary = "Computes the loss wrongly",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .level = Level::dl,
    .setting = {.name = "change", .values = {"sum", "sign"}, .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
