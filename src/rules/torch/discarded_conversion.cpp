#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.is("…")) {
      report.add(call.span, "…").help("…").cause(&call);
    }
  }
}

extern const Rule discarded_conversion{
    .name = "discarded-conversion",
    .summary = "Finds …",
    .applies = "any",
    .leaf = "A05",
    .fix = "AP",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
