#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const EpochLoop& epochs : epoch_loops_of(code)) {
    for (const Call& call : code.calls()) {
      const std::optional<Node> assignment = call.node.parent();
      const bool is_made =
          call.name.starts_with("local.") && call.name.find("()") == std::string::npos &&
          assignment && assignment->kind() == "assignment" &&
          assignment->child("left")->text().find("model") != std::string_view::npos;
      const std::optional<Node> statement = is_made ? statement_of(call.node) : std::nullopt;
      const std::optional<Node> body = epochs.loop.child("body");
      const bool is_before = statement && statement->parent() == epochs.loop.parent() &&
                             statement->end_byte() < epochs.loop.begin_byte();
      if (!is_before || !body || body->named_children().empty()) {
        continue;
      }
      const std::string line(statement->text());
      if (const std::optional<Edit> edit =
              insert_before(code, body->named_children().front(), {line})) {
        found.push_back(mutation({*edit}, epochs.count.text(), line));
      }
    }
  }
}

extern const Operator reinitialise;
const Operator reinitialise{
    .name = "build-model-in-loop",
    .acronym = "",
    .summary = "Builds a new model in each epoch",
    .type = "model/model-type-and-properties/multiple-initialisations-of-cnn",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
