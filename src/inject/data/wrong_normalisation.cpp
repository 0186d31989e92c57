#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto swap = [&found](const Node& one, const Node& other) {
    if (one.text() != other.text()) {
      found.push_back(mutation(
          {replace(one, std::string(other.text())), replace(other, std::string(one.text()))},
          one.text(),
          other.text()));
    }
  };
  for (const Call& call : code.calls()) {
    const bool normalises = call.name == "torchvision.transforms.Normalize";
    const Argument* mean = normalises ? call.find("mean", 0) : nullptr;
    const Argument* deviation = normalises ? call.find("std", 1) : nullptr;
    if (mean != nullptr && deviation != nullptr) {
      swap(mean->value, deviation->value);
    }
  }
  for (const Node& quotient : nodes_of(code.root(), "binary_operator")) {
    const Node left = *quotient.child("left");
    const Node right = *quotient.child("right");
    if (quotient.child("operator")->kind() != "/" || left.kind() != "parenthesized_expression" ||
        right.kind() != "identifier") {
      continue;
    }
    const std::vector<Node> inside = left.named_children();
    const bool is_difference = inside.size() == 1 && inside.front().kind() == "binary_operator" &&
                               inside.front().child("operator")->kind() == "-";
    if (is_difference &&
        inside.front().child("right")->text().find("mean") != std::string_view::npos &&
        inside.front().child("right")->kind() == "identifier") {
      swap(*inside.front().child("right"), right);
    }
  }
}

extern const Operator wrong_normalisation;
const Operator wrong_normalisation{
    .name = "wrong-normalisation",
    .acronym = "",
    .summary = "Normalises with the wrong constants",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
