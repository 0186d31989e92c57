#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"
#include "rules/structure/rate.hpp"

namespace faultline::rules {

// The dropout whose noise reaches the statistics; null if there is none.
static const Call* dropout_before(const Call& norm)
{
  const Call* call = call_before(norm);
  while (call != nullptr && !is_dropout(*call) &&
         (is_nonlinear(*call) || call->has(program::k_reshaping) || call->is("linear"))) {
    call = call_before(*call);
  }
  return call != nullptr && is_dropout(*call) ? call : nullptr;
}

static void check(const Program& program, Reporter& report)
{
  if (!is_trained(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    const Call* dropout = call.is("batch_norm") ? dropout_before(call) : nullptr;
    if (dropout != nullptr && drops_units(*dropout)) {
      report
          .add(dropout->span,
               format("`{}` in front of `{}`: its statistics hold only while units are dropped",
                      written(program, *dropout),
                      written(program, call)))
          .note(call.span, "normalised here")
          .help("put the dropout behind the normalisation");
    }
  }
}

extern const Rule dropout_before_batch_norm{
    .name = "dropout-before-batch-norm",
    .summary = "Finds dropout whose output is batch-normalised",
    .applies = "any",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
