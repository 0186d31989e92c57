#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  const std::string size(setting);
  bool is_given = false;
  const auto change = [&](const Argument* argument) {
    is_given = true;
    if (argument->value.text() != size) {
      rewrite(argument->value, size, argument->whole, found);
    }
  };
  if (!number_of(setting)) {
    return;
  }
  for (const Call& loader : training_loaders_of(code)) {
    if (const Argument* argument = loader.find("batch_size", 1)) {
      change(argument);
    }
  }
  for (const Call& call : code.calls()) {
    if (!is_fit(code, call)) {
      continue;
    }
    if (const Argument* argument = call.find("batch_size", 2)) {
      change(argument);
    } else {
      is_given = true;
      found.push_back(
          mutation({add_argument(call, "batch_size=" + size)}, call.callee.text(), size));
    }
  }
  if (is_given || !(code.uses("torch") || code.uses("tensorflow"))) {
    return;
  }
  for (const Node& assignment : nodes_of(code.root(), "assignment")) {
    const std::string_view name = assignment.child("left")->text();
    const std::optional<Node> value = assignment.child("right");
    if ((name == "batch_size" || name == "BATCH_SIZE" || name == "batch") && value &&
        value->kind() == "integer" && value->text() != size) {
      rewrite(*value, size, assignment, found);
    }
  }
}

extern const Operator batch_size;
const Operator batch_size{
    .name = "change-batch-size",
    .acronym = "HBS",
    .summary = "Changes the batch size",
    .type = "training/hyperparameters/suboptimal-batch-size",
    .level = Level::dl,
    .setting = {.name = "batch-size",
                .values = {"64", "32", "256", "512"},
                .search = Search::exhaustive,
                .range = k_count},
    .find = find,
};

} // namespace faultline::inject
