#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

namespace {

enum class Labels { unknown, one_hot, index };

// From the labels themselves, else from what the loss takes.
Labels encoding_of(const LossUse& use)
{
  const Tensor* labels = labels_of(use);
  if (labels != nullptr && labels->encoding == program::Encoding::one_hot) {
    return Labels::one_hot;
  }
  if (labels != nullptr && are_indices(*labels)) {
    return Labels::index;
  }
  if (use.kind == LossKind::categorical) {
    return Labels::one_hot;
  }
  return use.kind == LossKind::sparse_categorical ? Labels::index : Labels::unknown;
}

// Why the metric is meaningless here and what to use; empty if it is not.
struct Complaint {
  std::string what;
  std::string_view instead;
};

Complaint complaint(const LossUse& use, const Metric& metric)
{
  const Labels labels = encoding_of(use);
  const Call* head = value_producer(use.prediction);
  const bool is_softmax = head != nullptr && head->is("softmax");
  const int64_t width = output_width(use).value_or(0);
  if (metric.name == "sparse_categorical_accuracy" && labels == Labels::one_hot) {
    return {"`sparse_categorical_accuracy` compares with class indices, but the labels are one-hot",
            "categorical_accuracy"};
  }
  if (metric.name == "categorical_accuracy" && labels == Labels::index && width != 1) {
    return {"`categorical_accuracy` compares with one-hot labels, but they are class indices",
            "sparse_categorical_accuracy"};
  }
  if (metric.name == "binary_accuracy" && is_softmax && width > 2) {
    return {format("`binary_accuracy` rounds each of {} softmax outputs, so most count as right",
                   width),
            labels == Labels::index ? "sparse_categorical_accuracy" : "categorical_accuracy"};
  }
  if (metric.name == "exact_accuracy" && is_classifying(use.kind) && head != nullptr &&
      (is_squashing(*head) || head->has(program::k_learning))) {
    return {"`Accuracy` counts outputs that equal the label exactly, which probabilities never do",
            "accuracy"};
  }
  return {};
}

void check_compiled(const Program& program, const LossUse& use, Reporter& report)
{
  for (const Metric& metric : metrics_of(use)) {
    const Complaint found = complaint(use, metric);
    if (found.what.empty()) {
      continue;
    }
    Draft& draft = report.add(metric.span, found.what)
                       .note(use.span, format("the loss is `{}`", loss_text(program, use)))
                       .help(format("use `'{}'`", found.instead))
                       .cause(&use.call);
    const std::string_view text = program.text(metric.span);
    if (text.size() > 2 && (text.front() == '\'' || text.front() == '"')) {
      draft.replace(metric.span, format("{0}{1}{0}", text.front(), found.instead))
          .unsafe("use the metric for these labels");
    }
  }
}

bool is_half(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  const auto* number = constant != nullptr ? std::get_if<double>(&constant->value) : nullptr;
  return number != nullptr && *number == 0.5;
}

// The same layer gave both, or they are the same tensor.
bool are_same_outputs(const Tensor* tensor, const LossUse& use)
{
  if (tensor == use.prediction) {
    return true;
  }
  const Call* a = value_producer(tensor);
  const Call* b = value_producer(use.prediction);
  return a != nullptr && b != nullptr && (a == b || (a->layer != nullptr && a->layer == b->layer));
}

// Raw scores compared with 0.5, where a probability was meant: the score for 0.5 is 0.
void check_threshold(const Program& program, const Call& call, Reporter& report)
{
  constexpr std::array<std::string_view, 4> k_comparisons = {
      "greater", "greater_equal", "less", "less_equal"};
  if (std::ranges::find(k_comparisons, call.op()) == k_comparisons.end()) {
    return;
  }
  const bool has_half = std::ranges::any_of(
      call.arguments, [](const program::Argument& argument) { return is_half(argument.value); });
  const Tensor* scores = call.input();
  if (!has_half || scores == nullptr) {
    return;
  }
  for (const LossUse& use : program.losses()) {
    if (use.kind == LossKind::binary && use.wants == LossInput::logits &&
        use.prediction != nullptr && are_same_outputs(scores, use)) {
      const Call* head = value_producer(scores);
      if (head != nullptr && is_squashing(*head)) {
        continue; // another fault
      }
      report.add(call.span, "raw scores compared with 0.5, as if they were probabilities")
          .note(use.prediction_span, "the loss takes them for scores, of which 0 means even odds")
          .help("apply the sigmoid first, or compare with 0")
          .cause(&call);
      return;
    }
  }
}

// The largest of one value is always the first: an accuracy made of it counts everything as right.
void check_single_column(const Program& program, const Call& call, Reporter& report)
{
  const auto* result = program::as<Tensor>(call.result);
  const Tensor* scores = call.input();
  const bool is_single = call.is("argmax") && result != nullptr && scores != nullptr &&
                         result->interval == program::Interval::point(0) &&
                         scores->shape.rank().value_or(0) >= 2 && scores->shape.at(-1).is(1);
  if (!is_single) {
    return;
  }
  const std::vector<const Call*>& uses = program.consumers(result);
  const auto comparison = std::ranges::find_if(
      uses, [](const Call* use) { return use->is("equal") || use->is("metric"); });
  if (comparison != uses.end()) {
    report
        .add(call.span, format("`argmax` over one column of {} is always 0", scores->shape.text()))
        .help("compare a single output with a threshold")
        .cause(*comparison);
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.framework == "keras") {
      check_compiled(program, use, report);
    }
  }
  for (const Call& call : program.calls()) {
    check_threshold(program, call, report);
    check_single_column(program, call, report);
  }
}

extern const Rule metric_for_other_encoding{
    .name = "metric-for-other-encoding",
    .summary = "Finds metrics that expect a different form of labels or outputs",
    .applies = "any",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
