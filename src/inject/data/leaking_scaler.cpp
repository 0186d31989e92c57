#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  std::optional<Node> all;
  for (const Call& call : code.calls()) {
    if (call.name == "sklearn.model_selection.train_test_split" && !call.arguments.empty() &&
        call.arguments.front().value.kind() == "identifier") {
      all = call.arguments.front().value;
    }
    const bool fits = call.name.starts_with("sklearn.preprocessing.") &&
                      (call.last() == "fit" || call.last() == "fit_transform") &&
                      call.arguments.size() == 1;
    if (!all || !fits || call.arguments.front().value.text() == all->text()) {
      continue;
    }
    const Node& given = call.arguments.front().value;
    const Node object = *call.callee.child("object");
    const std::string leaking =
        call.last() == "fit"
            ? format("{}.fit({})", object.text(), all->text())
            : format("{}.fit({}).transform({})", object.text(), all->text(), given.text());
    rewrite(call.node, leaking, call.node, found);
  }
}

extern const Operator leaking_scaler;
const Operator leaking_scaler{
    .name = "leak-test-data",
    .acronym = "",
    .summary = "Fits the preprocessing on test data as well",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
