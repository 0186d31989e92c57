#include "rules/facts.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  report_problems(program, report, program::ProblemKind::axis_order);
  for (const Call& call : program.calls()) {
    const Tensor* input = call.is("conv") && call.api->number == 2 ? call.input() : nullptr;
    if (input == nullptr || input->shape.rank() != 4 || !call.name.starts_with("torch.")) {
      continue;
    }
    const std::optional<int64_t> channels = input->shape.at(1).constant();
    const std::optional<int64_t> side = input->shape.at(2).constant();
    const std::optional<int64_t> last = input->shape.at(3).constant();
    constexpr int64_t k_many = 16;
    constexpr int64_t k_least_side = 8; // smaller maps have been pooled
    if (!channels || !side || !last || *channels <= k_many || *side < k_least_side ||
        (*last != 1 && *last != 3)) {
      continue;
    }
    report
        .add(call.span,
             format("an input of {} has {} channels and is {} wide: the axes look swapped",
                    input->shape.text(),
                    *channels,
                    *last))
        .help("bring the channels to the second place: `permute(0, 3, 1, 2)`")
        .cause(&call);
  }
}

extern const Rule suspicious_axis_order{
    .name = "suspicious-axis-order",
    .summary = "Finds images whose channel axis looks like a side of the image",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
