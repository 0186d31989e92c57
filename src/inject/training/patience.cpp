#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const std::optional<double> share = number_of(setting);
  if (!share) {
    return;
  }
  const Code code(subject);
  const auto change = [&](const Node& value) {
    const std::string less = scaled_count(value, *share);
    if (less != value.text()) {
      rewrite(value, less, *value.parent(), found);
    }
  };
  for (const Call& call : code.calls()) {
    if (const Argument* patience = call.find("patience")) {
      change(patience->value);
    }
  }
  for (const Node& assignment : nodes_of(code.root(), "assignment")) {
    const std::string_view name = assignment.child("left")->text();
    const std::optional<Node> value = assignment.child("right");
    if ((name == "patience" || name == "PATIENCE" || name == "max_patience") && value &&
        value->kind() == "integer") {
      change(*value);
    }
  }
}

extern const Operator patience;
const Operator patience{
    .name = "decrease-patience",
    .acronym = "RCP",
    .summary = "Stops the training sooner when it does not improve",
    .type = "training/hyperparameters/suboptimal-number-of-epochs",
    .level = Level::dl,
    .setting = share_setting({"0.75", "0.5", "0.25", "0"}, k_share_or_none),
    .find = find,
};

} // namespace faultline::inject
