#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto is_test = [](std::string_view name) {
    return name.find("test") != std::string_view::npos ||
           name.find("val") != std::string_view::npos;
  };
  for (const Call& call : code.calls()) {
    if (call.name.starts_with("sklearn.preprocessing.") && call.last() == "transform" &&
        call.arguments.size() == 1 && is_test(call.arguments.front().value.text())) {
      unwrap(call, found);
    }
  }
  for (const Node& quotient : nodes_of(code.root(), "binary_operator")) {
    const Node left = *quotient.child("left");
    const std::vector<Node> inside = left.named_children();
    const bool is_difference = quotient.child("operator")->kind() == "/" &&
                               left.kind() == "parenthesized_expression" && inside.size() == 1 &&
                               inside.front().kind() == "binary_operator" &&
                               inside.front().child("operator")->kind() == "-";
    if (is_difference && inside.front().child("left")->kind() == "identifier" &&
        is_test(inside.front().child("left")->text())) {
      const std::string rest(inside.front().child("left")->text());
      rewrite(quotient, rest, quotient, found);
    }
  }
}

extern const Operator untransformed_test;
const Operator untransformed_test{
    .name = "forget-test-transform",
    .acronym = "",
    .summary = "Does not preprocess the test data",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
