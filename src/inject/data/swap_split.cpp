#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const std::optional<Node> assignment = call.node.parent();
    if (call.name != "sklearn.model_selection.train_test_split" || !assignment ||
        assignment->kind() != "assignment") {
      continue;
    }
    const std::vector<Node> names = assignment->child("left")->named_children();
    if (names.size() < 2 || names.size() % 2 != 0) {
      continue;
    }
    std::vector<Edit> edits;
    for (size_t i = 0; i < names.size(); i += 2) {
      edits.push_back(replace(names[i], std::string(names[i + 1].text())));
      edits.push_back(replace(names[i + 1], std::string(names[i].text())));
    }
    found.push_back(mutation(std::move(edits), names[0].text(), names[1].text()));
  }
}

extern const Operator swap_split;
const Operator swap_split{
    .name = "swap-split",
    .acronym = "",
    .summary = "Trains on the test set and tests on the training set",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
