#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

namespace {

// Old code leaves `dim` out; PyTorch then takes axis 0 for ranks 0, 1 and 3, else axis 1.
void report_missing(const Program& program, Reporter& report, const Call& call)
{
  const Tensor* input = call.input();
  constexpr size_t unknown = 0; // a softmax of a single number is none
  const size_t rank = input != nullptr ? input->shape.rank().value_or(unknown) : unknown;
  const bool is_guessed_right = rank == 1 || rank == 2 || rank == 4;
  const Call& place =
      call.layer != nullptr && call.layer->made_by != nullptr ? *call.layer->made_by : call;
  const std::string_view text = program.text(place.span);
  Draft& draft = report.add(place.span, "softmax without `dim`")
                     .label(rank == 3 ? "normalises over axis 0 of a tensor of rank 3"
                                      : "the axis is guessed from the rank of the input")
                     .help("say which axis holds the classes: `dim=1` for (batch, classes)");
  if (is_guessed_right) {
    draft.severity(Severity::info);
  }
  if (rank == 2 && text.ends_with(')')) {
    draft.insert(last_character(place.span), text.ends_with("()") ? "dim=1" : ", dim=1")
        .safe("say `dim=1`");
  }
}

// Scores of several classes, one row for each sample: a dense layer made them.
bool is_batch_of_scores(const Tensor& input)
{
  const Call* producer = value_producer(&input);
  const auto width = input.shape.at(-1).constant();
  return producer != nullptr && producer->is("dense") && input.shape.rank() == 2 && width &&
         *width > 1;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* input = call.input();
    if (!(call.is("softmax") || call.is("log_softmax")) || input == nullptr ||
        !call.name.starts_with("torch")) {
      continue;
    }
    const Ref dim = setting_of(call, {"dim", "axis"});
    if (dim == nullptr || dim->kind == program::Kind::none) {
      report_missing(program, report, call);
      continue;
    }
    const auto axis = int_of(dim);
    const program::Argument* given = call.setting("dim");
    if (axis && input->shape.axis(*axis) == 0 && is_batch_of_scores(*input) && given != nullptr) {
      report
          .add(given->span,
               format("softmax over axis {} of {} normalises over the batch",
                      *axis,
                      input->shape.text()))
          .label("the classes are in axis 1")
          .help("use `dim=1`")
          .replace(given->span, "1")
          .unsafe("normalise over the classes");
    }
  }
}

} // namespace

extern const Rule softmax_over_wrong_axis{
    .name = "softmax-over-wrong-axis",
    .summary = "Finds softmax without dim, or over the batch instead of the classes",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
