#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    const bool embedding = problem.kind == program::ProblemKind::embedding_range ||
                           problem.kind == program::ProblemKind::index_not_integer;
    if (!embedding || problem.call == nullptr || !problem.call->is("embedding") ||
        !problem.call->name.starts_with("keras.")) {
      continue;
    }
    const program::Argument* rows = problem.call->setting("input_dim");
    report.add(rows != nullptr && rows->given ? rows->span : problem.span, problem.message)
        .help(problem.help.empty() ? "the table needs the largest index plus one rows"
                                   : problem.help)
        .cause(problem.call);
  }
}

extern const Rule embedding_smaller_than_vocabulary{
    .name = "embedding-smaller-than-vocabulary",
    .summary = "Finds embeddings with fewer rows than the largest token",
    .applies = "keras",
    .type = "model/layers/layer-properties/wrong-defined-input-shape",
    .fix_pattern = "layer-dimension",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
