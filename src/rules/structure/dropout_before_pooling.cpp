#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"
#include "rules/structure/rate.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    if (!is_pooling(call)) {
      continue;
    }
    const Call* before = call_before(call);
    while (before != nullptr && is_nonlinear(*before)) {
      before = call_before(*before);
    }
    // Dropping whole maps survives the pooling.
    if (before != nullptr && before->is("dropout") && drops_units(*before)) {
      report
          .add(before->span,
               format("`{}` undoes part of the `{}` in front of it",
                      written(program, call),
                      written(program, *before)))
          .note(call.span, "pooled here")
          .help("put the dropout behind the pooling");
    }
  }
}

extern const Rule dropout_before_pooling{
    .name = "dropout-before-pooling",
    .summary = "Finds dropout whose output is pooled",
    .applies = "any",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .fix_pattern = "neural-connection",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
