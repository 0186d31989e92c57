#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

using numeric::Operand;

namespace {

struct Domain {
  std::string_view op;
  double low;
  double high;
  bool closed; // the ends belong to it
};
constexpr double k_inf = program::Interval::k_inf;
constexpr Domain k_domains[] = {
    {"acos", -1, 1, true},
    {"asin", -1, 1, true},
    {"atanh", -1, 1, false},
    {"erfinv", -1, 1, false},
    {"acosh", 1, k_inf, true},
    {"lgamma", 0, k_inf, false},
    {"digamma", 0, k_inf, false},
};

const Domain* domain_of(const Call& call)
{
  for (const Domain& domain : k_domains) {
    if (call.is(domain.op)) {
      return &domain;
    }
  }
  return nullptr;
}

bool is_left(const Domain& domain, const program::Interval& values)
{
  // Rounding alone does not count.
  constexpr double k_slack = 1e-6;
  return domain.closed
             ? values.low() < domain.low - k_slack || values.high() > domain.high + k_slack
             : values.low() <= domain.low || (domain.high < k_inf && values.high() >= domain.high);
}

std::string text(const Domain& domain)
{
  return domain.high < k_inf ? format("between {:g} and {:g}", domain.low, domain.high)
                             : format("{} {:g}", domain.closed ? "from" : "above", domain.low);
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Domain* const domain = domain_of(call);
    const Operand x = domain != nullptr ? numeric::operand(call, 0) : Operand();
    if (x.tensor == nullptr || !x.interval.is_known() || !is_left(*domain, x.interval) ||
        !numeric::may_learn(numeric::result_of(call)) ||
        !numeric::depends_on_activations(x.tensor) ||
        numeric::is_chosen_by_condition(program, call)) {
      continue;
    }
    const bool certain = x.interval.high() < domain->low || x.interval.low() > domain->high;
    report.add(x.span, format("`{}` of {}", written(program, call), numeric::values_in(x.interval)))
        .label(format("only defined {}", text(*domain)))
        .help("bound the argument with `clamp` or `clip` first, a little inside of the limits")
        .severity(numeric::severity_of(certain))
        .type(numeric::type_of(program, call))
        .cause(numeric::held(x.tensor));
  }
}

} // namespace

extern const Rule inverse_out_of_domain{
    .name = "inverse-out-of-domain",
    .summary = "Finds acos, atanh, lgamma and the like outside their domain",
    .applies = "any",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
