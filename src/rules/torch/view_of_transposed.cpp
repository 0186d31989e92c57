#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// The name in `x.transpose(1, 2).view(8, -1)` that asks for a view.
static std::optional<Span> view_word(const Program& program, const Call& call)
{
  const std::string_view callee = program.text(call.callee);
  if (!callee.ends_with(".view")) {
    return std::nullopt;
  }
  Span word = call.callee;
  word.begin = word.end - 4;
  return word;
}

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != program::ProblemKind::not_contiguous || problem.call == nullptr) {
      continue;
    }
    Draft& draft = report.add(problem.span, problem.message).cause(problem.call);
    draft.help("use `reshape`, which copies where it must, or `contiguous()` before `view`");
    for (const program::Problem::Remark& note : problem.notes) {
      draft.note(note.span, note.text);
    }
    if (const auto word = view_word(program, *problem.call)) {
      draft.replace(*word, "reshape").safe("use `reshape`");
    }
  }
}

extern const Rule view_of_transposed{
    .name = "view-of-transposed",
    .summary = "Finds view on tensors whose axes were moved",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
