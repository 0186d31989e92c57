#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

// Two places of one forward pass; one place in a loop shares on purpose.
static const Call* other_place(const Instance& layer, const Call& call)
{
  for (const Call* other : layer.applied) {
    if (other->order < call.order && other->span != call.span &&
        function_around(other->context) == function_around(call.context) &&
        function_around(call.context) != nullptr && !is_optional(other->context, call.context)) {
      return other;
    }
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("batch_norm") || call.layer == nullptr || !call.name.starts_with("torch")) {
      continue;
    }
    if (const Call* other = other_place(*call.layer, call)) {
      report
          .add(call.span, format("`{}` normalises two different layers", program.text(call.callee)))
          .label("its statistics are those of both")
          .note(other->span, "applied here, too")
          .help("give each place a layer of its own");
    }
  }
}

extern const Rule normalisation_shared{
    .name = "normalisation-shared",
    .summary = "Finds one batch normalisation that is applied at several depths",
    .applies = "torch",
    .type = "model/model-type-and-properties/wrong-network-architecture",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
