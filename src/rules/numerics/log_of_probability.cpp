#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

namespace {

// `log(softmax(x))` written in one place becomes `log_softmax(x)`. Keras' backend has no such name.
void offer_fix(const Program& program, const Call& logarithm, const Call& squash, Draft& draft)
{
  const std::string_view callee = program.text(squash.callee);
  constexpr std::string_view k_name = "softmax";
  const bool is_nested = squash.layer == nullptr && logarithm.span.contains(squash.span) &&
                         squash.span.contains(squash.callee) &&
                         numeric::operand(logarithm, 0).tensor == numeric::result_of(squash);
  if (!is_nested || !logarithm.is("log") || !callee.ends_with(k_name) ||
      squash.name.starts_with("keras") || squash.name.starts_with("tensorflow.keras")) {
    return;
  }
  const std::string_view whole = program.text(squash.span);
  const size_t before = squash.callee.end - squash.span.begin - k_name.size();
  draft.replace(logarithm.span, format("{}log_{}", whole.substr(0, before), whole.substr(before)))
      .safe("use `log_softmax`");
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const auto p = numeric::unsafe_logarithm(program, call);
    const Call* const squash = p ? numeric::probability_source(p->tensor) : nullptr;
    if (squash == nullptr) {
      continue;
    }
    const std::string name = written(program, *squash);
    const bool is_softmax = squash->is("softmax");
    const std::string_view better =
        numeric::is_torch(call) ? (is_softmax ? "F.log_softmax" : "F.logsigmoid")
                                : (is_softmax ? "tf.nn.log_softmax" : "tf.math.log_sigmoid");
    Draft& draft = report.add(call.span, format("logarithm of the output of `{}`", name))
                       .label(is_softmax ? "-inf once the scores differ by more than 104"
                                         : "-inf once the score is below -104")
                       .help(format("use `{}` on the scores, which computes both at once", better))
                       .type(numeric::type_of(program, call))
                       .cause(numeric::danger_origin(p->tensor));
    if (!call.span.contains(squash->span)) {
      draft.note(squash->span, format("`{}` is applied here", name));
    }
    offer_fix(program, call, *squash, draft);
  }
}

} // namespace

extern const Rule log_of_probability{
    .name = "log-of-probability",
    .summary = "Finds log(softmax(x)) and log(sigmoid(x)), which underflow",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .rank = numeric::k_known_idiom,
    .check = check,
};

} // namespace faultline::rules
