#include "trace/facts.hpp"
#include "trace/symptom.hpp"

namespace faultline::trace {

namespace {

void check_kinds(const Observation& use, Reporter& report)
{
  const std::string kind = text_of(use.values, "right");
  report
      .at(use,
          kind.empty() ? "tensors of different shapes are never equal"
                       : format("a tensor is never equal to a {}", kind))
      .evidence(kind.empty() ? "`torch.equal` compares the shapes first"
                             : "the whole comparison gives False")
      .help("compare tensors of the same shape");
}

void check_values(const Observation& use, Reporter& report)
{
  constexpr double k_enough = 100;
  constexpr double k_expected = 10; // hits of the same values in any order
  const double values = setting(use.values, "values"), hits = setting(use.values, "hits");
  const double fractions = setting(use.values, "fractions");
  const double blind = setting(use.values, "positions_without_hit");
  if (values >= k_enough && hits <= 0.001 * values && fractions > 0.5 * values) {
    report.at(use, "floating-point numbers are compared for equality")
        .evidence(format("{} of {} comparisons were true", number(hits), number(values)))
        .help("turn the output into a decision first: `argmax` for classes, `> 0.5` for a "
              "probability, or `torch.isclose`");
  } else if (values >= k_enough && hits == 0 && setting(use.values, "common") >= 3 &&
             !(setting(use.values, "by_chance") < k_expected)) {
    report.at(use, "predictions and labels are never equal")
        .evidence(format("none of {} comparisons was true, though both have the same values",
                         number(values)))
        .help("check whether both are in the same order and count from the same number");
  } else if (blind > 0) {
    report.at(use, "some positions of a sequence are never equal to their labels")
        .evidence(format("{} positions are never equal, while others often are", number(blind)))
        .help("leave start tokens and padding out, or shift one of the two");
  }
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  for (const Observation& use : trace.observations()) {
    if (use.name == "never-equal") {
      check_kinds(use, report);
    } else if (use.name == "compared") {
      check_values(use, report);
    }
  }
}

extern const Symptom comparison_never_true{
    .name = "comparison-never-true",
    .summary = "Finds comparisons of predictions and labels that are never true",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
