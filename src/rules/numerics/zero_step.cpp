#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool counts_by_steps(const Call& call)
{
  return call.is("arange") || call.name.ends_with(".range") || call.name.ends_with(".xrange");
}

// The step as it is written; null if it is left out. torch takes its numbers as they come.
static const program::Argument* step_of(const Call& call)
{
  for (const std::string_view name : {"step", "delta"}) {
    if (const program::Argument* step = call.given(name)) {
      return step;
    }
    if (const program::Argument* step = call.keyword(name)) {
      return step;
    }
  }
  const bool has_three = call.surplus.size() >= 3 && call.surplus[2].name.empty();
  return has_three ? &call.surplus[2] : nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const program::Argument* const step = counts_by_steps(call) ? step_of(call) : nullptr;
    if (step == nullptr || step->value->assumed || numeric::number_in(step->value) != 0.0) {
      continue;
    }
    report.add(step->span, format("`{}` with a step of 0", written(program, call)))
        .label("the end is never reached")
        .help("write a step other than 0; integer division of small numbers gives 0")
        .cause(&call);
  }
}

extern const Rule zero_step{
    .name = "zero-step",
    .summary = "Finds ranges whose step is 0",
    .applies = "any",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
