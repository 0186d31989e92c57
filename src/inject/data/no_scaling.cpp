#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto is_scale = [](const Node& node) {
    const std::optional<double> number = number_of(node);
    return number && (*number == 255 || *number == 256 || *number == 127.5 || *number == 128 ||
                      *number == 16);
  };
  for (const Node& quotient : nodes_of(code.root(), "binary_operator")) {
    const Node left = *quotient.child("left");
    if (quotient.child("operator")->kind() == "/" && is_scale(*quotient.child("right")) &&
        !number_of(left)) {
      rewrite(quotient, std::string(left.text()), quotient, found);
    }
  }
  for (const Node& quotient : nodes_of(code.root(), "augmented_assignment")) {
    if (quotient.child("operator")->kind() == "/=" && is_scale(*quotient.child("right"))) {
      found.push_back(
          mutation({remove_statement(code, *statement_of(quotient))}, quotient.text(), ""));
    }
  }
}

extern const Operator no_scaling;
const Operator no_scaling{
    .name = "remove-scaling",
    .acronym = "",
    .summary = "No longer scales the data by a constant",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
