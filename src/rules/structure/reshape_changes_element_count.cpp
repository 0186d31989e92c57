#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"

namespace faultline::rules {

// Inside a network the elements of one sample are known, so the right number can be told. What else
// cannot be reshaped is SH004.
static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::reshape || problem.call == nullptr) {
      continue;
    }
    const Tensor* input = data_input(*problem.call);
    if (input == nullptr || !input->shape.has_rank() || input->shape.rank() < 2 ||
        input->shape.at(0) != program::Dim::batch()) {
      continue;
    }
    const program::Shape sample = input->shape.behind(1);
    if (!sample.elements().constant()) {
      continue;
    }
    Draft& draft =
        report.add(problem.span, problem.message)
            .help(format("each sample {} has {} elements, and the new shape must have as many",
                         sample.text(),
                         *sample.elements().constant()))
            .cause(problem.call);
    if (const Call* before = call_before(*problem.call)) {
      draft.note(before->span, format("the input {} comes from here", input->shape.text()));
    }
  }
}

extern const Rule reshape_changes_element_count{
    .name = "reshape-changes-element-count",
    .summary = "Finds a reshape inside a network that would drop or invent elements",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
