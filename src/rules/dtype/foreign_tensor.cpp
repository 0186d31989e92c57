#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::foreign_tensor);
  constexpr uint32_t k_on_one_tensor =
      program::k_reduction | program::k_activation | program::k_elementwise;
  for (const Call& call : program.calls()) {
    if (call.api == nullptr || call.api->role != program::Role::function ||
        !call.name.starts_with("torch.") || !call.has(k_on_one_tensor) || call.arguments.empty()) {
      continue;
    }
    const program::Argument& first = call.arguments.front();
    const auto* list = program::as<program::Sequence>(first.value);
    if (first.given && list != nullptr && first.name == "input") {
      report.add(first.span, "a PyTorch function is given a list, not a tensor")
          .help("make a tensor of it: `torch.tensor(…)` or `torch.stack(…)`")
          .cause(&call);
    }
  }
}

extern const Rule foreign_tensor{
    .name = "foreign-tensor",
    .summary = "Finds functions of one library called on another's tensors",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
