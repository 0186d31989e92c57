#include "rules/facts.hpp"
#include "rules/loss/labels.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

namespace faultline::rules {

namespace {

// Written without `name=` in front.
bool is_positional(const Program& program, const Call& call, const program::Argument& argument)
{
  if (!argument.given || !call.span.contains(argument.span)) {
    return false;
  }
  Span before = call.span;
  before.end = argument.span.begin;
  std::string_view text = program.text(before);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return !text.empty() && text.back() != '=';
}

// From 1.0 on these take labels and logits by name only, until 2.0 allows both again.
bool wants_names(const Call& call)
{
  return call.name == "tensorflow.nn.softmax_cross_entropy_with_logits" ||
         call.name == "tensorflow.nn.sparse_softmax_cross_entropy_with_logits" ||
         call.name == "tensorflow.nn.sigmoid_cross_entropy_with_logits";
}

// Code of TensorFlow 1: the versions before it and after it take the arguments by position.
bool is_version_one(const Program& program)
{
  if (const auto pinned = program.pinned("tensorflow")) {
    return pinned->parts[0] == 1;
  }
  for (const Call& call : program.calls()) {
    if (call.is("session") || call.is("placeholder")) {
      return true;
    }
  }
  return false;
}

void check_positional(const Program& program, const Call& call, Reporter& report)
{
  const program::Argument* first = call.argument("labels");
  const program::Argument* second = call.argument("logits");
  if (first == nullptr || second == nullptr || !is_positional(program, call, *first)) {
    return;
  }
  Draft& draft =
      report
          .add(first->span, format("`{}` takes its arguments by name only", written(program, call)))
          .label("by position, labels and logits cannot be told apart")
          .help("write `labels=..., logits=...`")
          .cause(&call);
  const auto* a = program::as<Tensor>(first->value);
  const auto* b = program::as<Tensor>(second->value);
  const bool both_positional = is_positional(program, call, *second);
  if (a == nullptr || b == nullptr || !both_positional) {
    return;
  }
  const bool first_is_computed =
      a->requires_grad == program::Truth::yes && b->requires_grad == program::Truth::no;
  const bool second_is_computed =
      b->requires_grad == program::Truth::yes && a->requires_grad == program::Truth::no;
  if (first_is_computed || second_is_computed) {
    draft.insert(first->span, first_is_computed ? "logits=" : "labels=")
        .insert(second->span, first_is_computed ? "labels=" : "logits=")
        .unsafe("name the arguments");
  }
}

void check_swapped(const Program& program, const LossUse& use, Reporter& report)
{
  const Tensor* labels = labels_of(use);
  if (!is_classifying(use.kind) || use.model != nullptr || labels == nullptr ||
      use.prediction == nullptr || labels->requires_grad != program::Truth::yes ||
      use.prediction->requires_grad != program::Truth::no) {
    return;
  }
  // Labels may be learned too, but what is predicted is never fed.
  const Call* made = use.prediction->producer;
  const bool is_data = made == nullptr || made->is("placeholder") || made->is("one_hot") ||
                       are_classes(*use.prediction);
  if (!is_data) {
    return;
  }
  report.add(use.span, format("labels and outputs of `{}` are swapped", loss_text(program, use)))
      .label("no gradient flows through labels")
      .note(use.target_span, "computed by the model, but passed as the labels")
      .note(use.prediction_span, "data, but passed as the outputs")
      .help("pass the labels as labels; name the arguments to be sure")
      .cause(label_cause(use));
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    check_swapped(program, use, report);
  }
  if (!is_version_one(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    if (wants_names(call)) {
      check_positional(program, call, report);
    }
  }
}

extern const Rule logits_and_labels_swapped{
    .name = "logits-and-labels-swapped",
    .summary =
        "Finds labels and logits that are swapped, or passed by position where only names are "
        "taken",
    .applies = "any",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 30,
    .check = check,
};

} // namespace faultline::rules
