#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::precision_loss);
  constexpr double k_exact = 16'777'216; // 2**24
  for (const Call& call : program.calls()) {
    const auto* result = call.is("cast") ? program::as<Tensor>(call.result) : nullptr;
    const Tensor* input = call.input();
    if (result == nullptr || input == nullptr || !input->dtype.is_integer() ||
        result->dtype != program::DType(program::DType::Kind::float32) ||
        !input->interval.is_known() || input->interval.high() > 1e30 ||
        input->interval.high() <= k_exact) {
      continue;
    }
    report
        .add(call.span,
             format("values up to {:.0f} are rounded: float32 is exact up to 16777216",
                    input->interval.high()))
        .help("keep them as integers or use float64")
        .cause(&call);
  }
}

extern const Rule precision_loss{
    .name = "precision-loss",
    .summary = "Finds large integers that float32 rounds",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check,
};

} // namespace faultline::rules
