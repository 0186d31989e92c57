#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::input_shape || problem.call == nullptr ||
        !problem.call->name.starts_with("keras.")) {
      continue;
    }
    Draft& draft = report.add(problem.span, problem.message).cause(problem.call);
    const program::Argument* declared =
        declared_input_shape(program::as<Instance>(problem.call->self));
    if (declared != nullptr) {
      draft.note(declared->span, "the input is declared here");
    }
    draft.help(problem.help.empty() ? "reshape the data or change the declared input"
                                    : problem.help);
  }
}

extern const Rule input_shape_differs_from_data{
    .name = "input-shape-differs-from-data",
    .summary = "Finds models whose declared input differs from the data they are trained with",
    .applies = "keras",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
