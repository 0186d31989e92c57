#include "base/format.hpp"
#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Node& assignment : nodes_of(code.root(), "assignment")) {
    const Node left = *assignment.child("left");
    const std::optional<Node> right = assignment.child("right");
    const bool divides = right && right->kind() == "binary_operator" &&
                         right->child("operator")->kind() == "/" && left.kind() == "identifier";
    if (!divides || left.text().find("test") != std::string_view::npos ||
        left.text().find("val") != std::string_view::npos) {
      continue;
    }
    // Only what is made from itself can be made twice.
    const Node above = *right->child("left");
    const std::string difference = format("({} - ", left.text());
    const std::optional<double> scale = number_of(*right->child("right"));
    const bool is_normalised = above.text().starts_with(difference) ||
                               (above.text() == left.text() && scale && *scale >= 16);
    const std::optional<Node> statement = statement_of(assignment);
    if (is_normalised && statement) {
      if (const std::optional<Edit> edit =
              insert_after(code, *statement, {std::string(statement->text())})) {
        found.push_back(mutation({*edit}, statement->text(), statement->text()));
      }
    }
  }
}

extern const Operator normalise_twice;
const Operator normalise_twice{
    .name = "normalise-twice",
    .acronym = "",
    .summary = "Normalises the data twice",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
