#include "inject/rewrites.hpp"

#include <algorithm>
#include <map>

namespace faultline::inject {

static bool is_normalised(const Node& quotient)
{
  const auto says = [](const Node& node, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) {
      return node.text().find(word) != std::string_view::npos;
    });
  };
  return quotient.child("operator")->kind() == "/" &&
         quotient.child("left")->kind() == "parenthesized_expression" &&
         says(*quotient.child("left"), {"mean", "mu", "avg"}) &&
         says(*quotient.child("right"), {"std", "sigma", "scale"});
}

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  // All that one scaler does goes at once: what it has not been fitted to it cannot transform.
  std::map<std::string, std::vector<Edit>> scalers;
  for (const Call& call : code.calls()) {
    const bool scales = call.name.starts_with("sklearn.preprocessing.") &&
                        call.name.find("Scaler") != std::string::npos;
    if (scales && (call.last() == "transform" || call.last() == "fit_transform") &&
        call.arguments.size() == 1) {
      scalers[std::string(call.callee.child("object")->text())].push_back(
          replace(call.node, bracketed(call.arguments.front().value)));
    } else if (call.name == "torchvision.transforms.Normalize" &&
               call.node.parent()->kind() == "list") {
      found.push_back(mutation({remove_item(call.node)}, call.node.text(), ""));
    }
  }
  for (auto& [scaler, edits] : scalers) {
    found.push_back(mutation(std::move(edits), scaler, ""));
  }
  for (const Node& quotient : nodes_of(code.root(), "binary_operator")) {
    if (is_normalised(quotient)) {
      const std::vector<Node> inside = quotient.child("left")->named_children();
      const bool is_difference = inside.size() == 1 && inside.front().kind() == "binary_operator" &&
                                 inside.front().child("operator")->kind() == "-";
      if (is_difference) {
        const std::string rest(inside.front().child("left")->text());
        rewrite(quotient, rest, quotient, found);
      }
    }
  }
}

extern const Operator no_normalisation;
const Operator no_normalisation{
    .name = "remove-normalisation",
    .acronym = "",
    .summary = "No longer normalises the data",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
