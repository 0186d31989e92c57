#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;
using program::Dim;

namespace {

bool is_recurrent(const Call& call)
{
  return call.layer != nullptr && call.name.starts_with("torch") &&
         (call.is("rnn") || call.is("lstm") || call.is("gru"));
}

std::optional<bool> batch_first(const Call& call)
{
  return bool_of(call.setting_value("batch_first"));
}

// The axis of the batch is known where data came from a loader.
void check_input(const Program& program, Reporter& report, const Call& call)
{
  const Tensor* input = call.input();
  if (input == nullptr || input->shape.rank() != 3 || batch_first(call) != false ||
      input->shape.at(0) != Dim::batch() || input->shape.at(1) == Dim::batch()) {
    return;
  }
  const Call& made = *call.layer->made_by;
  Draft& draft =
      report
          .add(call.span,
               format("`{}` takes axis 0 of {} for time, but it holds the batch",
                      written(program, call),
                      input->shape.text()))
          .note(made.span, "built without `batch_first=True`")
          .help("build the layer with `batch_first=True`, or swap the axes with `.transpose(0, 1)`")
          .cause(&call);
  const std::string_view text = program.text(made.span);
  if (made.given("batch_first") == nullptr && text.ends_with(')') && !text.ends_with(",)")) {
    draft.insert(last_character(made.span), ", batch_first=True")
        .unsafe("say that the batch comes first");
  }
}

// The call whose sequence of outputs this is; null if it is something else, such as the last state.
const Call* outputs_of(const Tensor* tensor)
{
  const Call* call = tensor != nullptr ? tensor->producer : nullptr;
  if (call == nullptr || !is_recurrent(*call)) {
    return nullptr;
  }
  const auto* both = as<program::Sequence>(call->result);
  return both != nullptr && !both->items.empty() && both->items.front() == tensor ? call : nullptr;
}

bool is_everything(Ref part)
{
  const auto* slice = as<program::Slice>(part);
  return slice != nullptr && slice->from->kind == program::Kind::none &&
         slice->to->kind == program::Kind::none;
}

// out[-1] is axis 0, out[:, -1] is axis 1; nothing for others.
std::optional<size_t> last_of_axis(Ref index)
{
  if (int_of(index) == -1) {
    return 0;
  }
  const auto* parts = as<program::Sequence>(index);
  if (parts == nullptr || parts->items.size() < 2 || parts->items.size() > 3) {
    return std::nullopt;
  }
  if (parts->items.size() == 3 && !is_everything(parts->items[2])) {
    return std::nullopt;
  }
  if (int_of(parts->items[0]) == -1 && is_everything(parts->items[1])) {
    return 0;
  }
  return is_everything(parts->items[0]) && int_of(parts->items[1]) == -1 ? std::optional<size_t>(1)
                                                                         : std::nullopt;
}

void check_last(Reporter& report, const Call& call)
{
  const Call* layer = outputs_of(as<Tensor>(call.arg("a")));
  const auto axis = layer != nullptr ? last_of_axis(call.arg("index")) : std::nullopt;
  const auto is_batch_first = layer != nullptr ? batch_first(*layer) : std::nullopt;
  const auto* outputs = as<Tensor>(call.arg("a"));
  if (!axis || !is_batch_first || outputs->shape.rank() == 2) {
    return;
  }
  const size_t time = *is_batch_first ? 1 : 0;
  // With one sample in the batch there is nothing to mix up.
  if (*axis == time || outputs->shape.at(static_cast<int64_t>(1 - time)).is(1)) {
    return;
  }
  Draft& draft =
      report
          .add(call.span,
               format("takes the last sample of the batch, not the last step: time is axis {}",
                      time))
          .help(time == 1 ? "take the last step with `[:, -1]`"
                          : "take the last step with `[-1]`, or build the layer with "
                            "`batch_first=True`");
  if (layer->layer->made_by != nullptr) {
    draft.note(layer->layer->made_by->span,
               format("built with `batch_first={}`", *is_batch_first ? "True" : "False"));
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (is_recurrent(call) && call.layer->made_by != nullptr) {
      check_input(program, report, call);
    } else if (call.name == "operator.getitem") {
      check_last(report, call);
    }
  }
}

} // namespace

extern const Rule recurrent_axis_order{
    .name = "recurrent-axis-order",
    .summary = "Finds recurrent layers whose batch and time axes are mixed up",
    .applies = "torch",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
