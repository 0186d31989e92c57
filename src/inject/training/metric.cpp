#include "base/format.hpp"
#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const Argument* metrics = is_compile(code, call) ? call.find("metrics") : nullptr;
    if (metrics != nullptr) {
      for (const Node& item : metrics->value.named_children()) {
        if (string_of(item) == "accuracy" || string_of(item) == "acc") {
          found.push_back(
              mutation({replace(item, "\"binary_accuracy\"")}, item.text(), "binary_accuracy"));
        }
      }
    }
    const std::optional<Node> parent = call.node.parent();
    const bool is_compared = parent && parent->kind() == "comparison_operator" &&
                             parent->text().find("==") != std::string_view::npos;
    if (is_compared && call.name == ".argmax" && call.arguments.size() == 1 && code.uses("torch")) {
      const std::string rounded = format("{}.amax({}).round()",
                                         call.callee.child("object")->text(),
                                         call.arguments.front().whole.text());
      rewrite(call.node, rounded, call.node, found);
    }
  }
}

extern const Operator metric;
const Operator metric{
    .name = "swap-metric",
    .acronym = "",
    .summary = "Uses a different metric",
    .type = "training/validation-testing/wrong-performance-metric",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
