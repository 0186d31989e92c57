#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static bool counts_by_steps(const Call& call)
{
  return call.is("arange") || call.name.ends_with(".range") || call.name.ends_with(".xrange");
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!counts_by_steps(call)) {
      continue;
    }
    for (const std::string_view name : {"step", "delta"}) {
      const program::Argument* const step = call.given(name);
      if (step == nullptr || step->value->assumed || numeric::number_in(step->value) != 0.0) {
        continue;
      }
      report.add(step->span, format("`{}` with a step of 0", written(program, call)))
          .label("the end is never reached")
          .help("write a step other than 0; integer division of small numbers gives 0")
          .cause(&call);
    }
  }
}

extern const Rule zero_step{
    .name = "zero-step",
    .summary = "Finds ranges whose step is 0",
    .applies = "any",
    .leaf = "A05",
    .fix = "AP",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
