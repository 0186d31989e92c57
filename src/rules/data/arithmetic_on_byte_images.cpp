#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    const Tensor* image =
        problem.kind == program::ProblemKind::integer_overflow && problem.call != nullptr
            ? problem.call->input()
            : nullptr;
    if (image == nullptr || image->dtype != program::DType(program::DType::Kind::uint8)) {
      continue;
    }
    report.add(problem.span, problem.message)
        .help("convert with `astype('float32')` first")
        .cause(problem.call);
  }
  for (const Call& call : program.calls()) {
    const Tensor* image = call.is("floor_div") ? call.input() : nullptr;
    const auto by =
        image != nullptr && call.argument("b") != nullptr ? number_of(call.arg("b")) : std::nullopt;
    if (image == nullptr || !image->dtype.is_integer() || !by || !image->interval.is_known() ||
        image->interval.high() != 255 || (*by != 255 && *by != 256)) {
      continue;
    }
    report.add(call.span, format("integer division by {:g} makes nearly all pixels 0", *by))
        .help("divide with `/`")
        .cause(&call);
  }
}

extern const Rule arithmetic_on_byte_images{
    .name = "arithmetic-on-byte-images",
    .summary = "Finds arithmetic on 8-bit images that wraps or truncates",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 10,
    .check = check,
};

} // namespace faultline::rules
