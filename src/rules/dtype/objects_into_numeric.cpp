#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::object_dtype);
  using Kind = program::DType::Kind;
  for (const Call& call : program.calls()) {
    if (!call.is("from_array") || !call.name.starts_with("torch.")) {
      continue;
    }
    const Tensor* input = call.input();
    if (input != nullptr && (input->dtype == program::DType(Kind::object) ||
                             input->dtype == program::DType(Kind::string))) {
      report
          .add(call.span, format("an array of type {} cannot become a tensor", input->dtype.text()))
          .help("convert it to numbers first: pad ragged rows, encode text")
          .cause(&call);
    }
  }
}

extern const Rule objects_into_numeric{
    .name = "objects-into-numeric",
    .summary = "Finds arrays of objects or text that reach numeric code",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-method",
    .fix_pattern = "data-type",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
