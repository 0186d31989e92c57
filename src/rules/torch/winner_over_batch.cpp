#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

// Scores of several classes, a row for each sample: a dense layer made them, and at most an
// activation came after.
bool is_batch_of_scores(const Tensor& input)
{
  const Tensor* tensor = &input;
  const Call* producer = value_producer(tensor);
  for (int i = 0; i < 4 && producer != nullptr && producer->has(program::k_activation); ++i) {
    producer = value_producer(producer->input());
  }
  const auto width = input.shape.rank() == 2 ? input.shape.at(1).constant() : std::nullopt;
  const auto samples = input.shape.rank() == 2 ? input.shape.at(0).constant() : std::nullopt;
  return producer != nullptr && producer->is("dense") && width && *width > 1 && samples != 1;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* input = call.input();
    if (!call.is("argmax") || input == nullptr || !is_batch_of_scores(*input)) {
      continue;
    }
    const Ref axis = setting_of(call, {"dim", "axis"});
    const program::Argument* given = written_setting(call, {"dim", "axis"});
    const bool is_missing = axis == nullptr || axis->kind == program::Kind::none;
    const bool defaults_to_samples = given == nullptr && call.name.starts_with("tensorflow");
    if (int_of(axis) == 0 || (is_missing && defaults_to_samples)) {
      report
          .add(given != nullptr ? given->span : call.span,
               "argmax over axis 0 looks for the best sample of each class")
          .label(format("the input is {}: samples, classes", input->shape.text()))
          .help("take the axis of the classes, 1")
          .cause(&call);
    } else if (is_missing) {
      const auto* winner = as<Tensor>(call.result);
      const auto& users =
          winner != nullptr ? program.consumers(winner) : program.consumers(nullptr);
      const auto compared = std::ranges::find_if(
          users, [](const Call* user) { return user->is("equal") && user->inputs().size() == 2; });
      if (compared != users.end()) {
        report.add(call.span, "argmax without an axis gives one number for the whole batch")
            .label(format("the input is {}: samples, classes", input->shape.text()))
            .note((*compared)->span, "which is compared with the labels of all samples here")
            .help("take the axis of the classes, 1")
            .cause(&call);
      }
    }
  }
}

} // namespace

extern const Rule winner_over_batch{
    .name = "winner-over-batch",
    .summary = "Finds argmax over samples where the best class of each sample is meant",
    .applies = "any",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
