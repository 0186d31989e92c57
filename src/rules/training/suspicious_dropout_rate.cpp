#include "rules/reporter.hpp"

namespace faultline::rules {

static std::optional<double> number_of(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  if (constant == nullptr) {
    return std::nullopt;
  }
  if (const double* real = std::get_if<double>(&constant->value)) {
    return *real;
  }
  const int64_t* whole = std::get_if<int64_t>(&constant->value);
  return whole != nullptr ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

// Where a dropout says how much it drops. `keep_prob` says how much stays, and is no business of
// this rule.
static const program::Argument* rate_of(const Call& call)
{
  if (call.given("keep_prob") != nullptr || call.keyword("keep_prob") != nullptr) {
    return nullptr;
  }
  for (const std::string_view name : {"rate", "p"}) {
    if (const program::Argument* given = call.given(name)) {
      return given;
    }
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const bool dropout = call.is("dropout") || call.is("spatial_dropout");
    if (!dropout || call.layer != nullptr) { // the constructor is where the rate is written
      continue;
    }
    const program::Argument* argument = rate_of(call);
    const std::optional<double> rate =
        argument != nullptr ? number_of(argument->value) : std::nullopt;
    if (!rate) {
      continue;
    }
    if (*rate >= 1 || *rate < 0) {
      report
          .add(argument->span,
               *rate >= 1 ? format("dropout rate {:g} drops everything", *rate)
                          : format("dropout rate {:g} is negative", *rate))
          .help("the rate is the share that is dropped, between 0 and 1")
          .severity(Severity::error)
          .cause(&call);
    } else if (*rate > 0.75) {
      report.add(argument->span, format("dropout rate {:g} drops more than three quarters", *rate))
          .help("the rate is the share that is dropped, not the share that is kept; 0.2 to 0.5 is "
                "usual")
          .cause(&call);
    } else if (*rate > 0.5) {
      report.add(argument->span, format("dropout rate {:g} drops more than half", *rate))
          .help("0.2 to 0.5 is usual")
          .severity(Severity::info)
          .cause(&call);
    }
  }
}

extern const Rule suspicious_dropout_rate{
    .name = "suspicious-dropout-rate",
    .summary = "Finds dropout rates that drop most or all of a layer",
    .applies = "any",
    .type = "model/layers/missing-redundant-wrong-layer/missing-dropout-layer",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
