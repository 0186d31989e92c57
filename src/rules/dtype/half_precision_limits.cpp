#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::half_precision);
  constexpr double k_least = 5.96e-8; // the smallest number above 0
  constexpr double k_largest = 65504;
  for (const Call& call : program.calls()) {
    const bool arithmetic = call.is("add") || call.is("sub") || call.is("maximum") ||
                            call.is("clip") || call.is("mul") || call.is("div");
    const Tensor* tensor = arithmetic ? call.input() : nullptr;
    if (tensor == nullptr || tensor->dtype != program::DType(program::DType::Kind::float16)) {
      continue;
    }
    for (const program::Argument& argument : call.arguments) {
      const auto* constant = program::as<program::Constant>(argument.value);
      const double* value =
          constant != nullptr && argument.given ? std::get_if<double>(&constant->value) : nullptr;
      if (value == nullptr) {
        continue;
      }
      if (*value > 0 && *value < k_least) {
        report.add(argument.span, format("{:g} is 0 in float16", *value))
            .help("use 1e-4, or compute in float32")
            .cause(&call);
      } else if (*value > k_largest || *value < -k_largest) {
        report.add(argument.span, format("{:g} is infinite in float16", *value))
            .help("the largest number is 65504: scale, or compute in float32")
            .cause(&call);
      }
    }
  }
}

extern const Rule half_precision_limits{
    .name = "half-precision-limits",
    .summary = "Finds constants that float16 cannot hold",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
