#include "proof/symptom.hpp"

#include "base/format.hpp"
#include "base/pattern.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace faultline::proof {

bool matches(const std::string& log, const std::string& pattern)
{
  const Result<Pattern> expression = Pattern::compile(pattern);
  FL_ASSERT(expression.has_value(), "patterns are checked when a fault is loaded");
  const std::vector<std::string_view> lines = split_lines(log);
  return std::ranges::any_of(
      lines, [&expression](std::string_view line) { return expression->matches(line); });
}

static bool declares(const catalog::Fault& fault, std::string_view symptom)
{
  return std::ranges::any_of(fault.parts, [symptom](const catalog::Part& part) {
    return part.labels.get("symptom") == symptom;
  });
}

// Whether the run ended in the way that `symptom` implies.
static bool ended_like(std::string_view symptom, const run::RunOutcome& outcome)
{
  using run::Ending;
  if (symptom == "crash") {
    return outcome.ending == Ending::signalled ||
           matches(outcome.log,
                   "Error|Exception|terminate called|Aborted|Segmentation fault|core dumped|"
                   "killed by SIG");
  }
  if (symptom == "hang") {
    return outcome.ending == Ending::timed_out ||
           matches(outcome.log,
                   "hang|still running|did not (end|finish|stop)|never (end|finish|stop|return)");
  }
  if (symptom == "memory-out-of-bound") {
    return outcome.ending == Ending::out_of_memory ||
           matches(outcome.log, "[Mm]emory|[Tt]ensor|MiB|alloc");
  }
  // The others are wrong results: the program ran and the test judged it.
  return outcome.ending == Ending::exited;
}

std::string missing_symptom(const catalog::Fault& fault, const run::RunOutcome& outcome)
{
  const bool stopped_by_limit =
      outcome.ending == run::Ending::timed_out || outcome.ending == run::Ending::out_of_memory;
  const bool declared_limit = declares(fault, "hang") || declares(fault, "memory-out-of-bound");
  if (!(stopped_by_limit && declared_limit) && !matches(outcome.log, fault.oracle.evidence)) {
    return format("the log of the buggy run does not match the evidence `{}`",
                  fault.oracle.evidence);
  }
  for (const catalog::Part& part : fault.parts) {
    if (ended_like(part.labels.get("symptom"), outcome)) {
      return {};
    }
  }
  return format("the buggy run ({}) does not show the symptom `{}`",
                run::describe(outcome),
                fault.parts.front().labels.get("symptom"));
}

} // namespace faultline::proof
