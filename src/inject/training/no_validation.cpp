#include "inject/training.hpp"

namespace faultline::inject {

static bool is_validation(std::string_view name)
{
  return name.starts_with("val") && (name.find("loader") != std::string_view::npos ||
                                     name.find("_dl") != std::string_view::npos);
}

static bool is_training(std::string_view name)
{
  return name.starts_with("train") && (name.find("loader") != std::string_view::npos ||
                                       name.find("_dl") != std::string_view::npos);
}

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (!is_fit(code, call)) {
      continue;
    }
    for (const std::string_view name : {"validation_data", "validation_split"}) {
      if (const Argument* given = call.find(name)) {
        found.push_back(mutation({remove_item(given->whole)}, given->whole.text(), ""));
      }
    }
  }
  for (const EpochLoop& epochs : epoch_loops_of(code)) {
    std::vector<Edit> edits;
    std::optional<Node> validation;
    std::optional<Node> training;
    for (const Node& name : nodes_of(epochs.loop, "identifier")) {
      if (is_training(name.text())) {
        training = name;
      } else if (is_validation(name.text())) {
        validation = name;
      }
    }
    for (const Node& name : nodes_of(epochs.loop, "identifier")) {
      if (training && is_validation(name.text())) {
        edits.push_back(replace(name, std::string(training->text())));
      }
    }
    if (!edits.empty()) {
      found.push_back(mutation(std::move(edits), validation->text(), training->text()));
    }
  }
}

extern const Operator no_validation;
const Operator no_validation{
    .name = "remove-validation",
    .acronym = "VRM",
    .summary = "Trains without a validation set",
    .type = "training/validation-testing/missing-validation-set",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
