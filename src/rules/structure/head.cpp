#include "rules/structure/head.hpp"

#include "base/format.hpp"
#include "rules/facts.hpp"
#include "rules/structure/edits.hpp"

namespace faultline::rules {

static bool keeps_values(const Call& call)
{
  return call.has(program::k_reshaping) || call.has(program::k_dropping) || call.is("cast") ||
         call.is("contiguous") || call.is("identity") || call.is("slice") || call.is("to_device") ||
         call.is("linear");
}

// A bias, a scale, a normalisation: the values may be any number afterwards.
static bool spreads_values(const Call& call)
{
  return call.is("add") || call.is("sub") || call.is("mul") || call.is("div") ||
         call.is("batch_norm");
}

Head head_of(const Tensor* prediction)
{
  Head head;
  bool is_changed = false;
  const Tensor* tensor = prediction;
  while (tensor != nullptr && tensor->producer != nullptr) {
    const Call& call = *tensor->producer;
    if (is_learning(call)) {
      head.layer = &call;
      head.known = true;
      return head;
    }
    if (is_nonlinear(call)) {
      if (is_changed || head.activation != nullptr || call.result != tensor) {
        return head;
      }
      head.activation = &call;
      head.known = true;
    } else if (spreads_values(call)) {
      is_changed = true;
    } else if (!keeps_values(call)) {
      return head;
    }
    tensor = data_input(call);
  }
  return head;
}

std::string described(const Head& head)
{
  return head.activation == nullptr ? "its output has no activation"
                                    : format("`{}` is its last activation", head.activation->op());
}

Span place_of(const Head& head, Span otherwise)
{
  if (head.activation != nullptr) {
    return head.activation->span;
  }
  return head.layer != nullptr ? head.layer->span : otherwise;
}

// Add the edit that makes `activation` the last one, where the layer has it as an argument.
static void offer_last_activation(const Program& program,
                                  const Head& head,
                                  std::string_view activation,
                                  Draft& draft)
{
  if (head.layer == nullptr || !head.layer->name.starts_with("keras.layers.")) {
    return;
  }
  const Call& made = constructor_of(*head.layer);
  const program::Argument* own = made.argument("activation");
  const bool is_own = own != nullptr && (head.activation == nullptr ||
                                         (own->given && own->span == head.activation->span));
  if (is_own) {
    set_argument(program, made, "activation", format("'{}'", activation), draft);
    draft.unsafe(format("end the model with a {}", activation));
  }
}

void report_wrong_head(const Program& program,
                       const LossUse& use,
                       const Head& head,
                       std::string_view activation,
                       std::string_view takes_the_log_of,
                       Reporter& report)
{
  Draft& draft =
      report
          .add(place_of(head, use.span),
               format("{} takes the log of {}, but the model does not end in a {}",
                      loss_words(program, use),
                      takes_the_log_of,
                      activation))
          .label(described(head))
          .note(use.span, "the loss is given here")
          .help(format("end the model with a {}, or let the loss work on logits", activation))
          .cause(&use);
  offer_last_activation(program, head, activation, draft);
}

bool has_one_hot_labels(const LossUse& use)
{
  const auto* labels = program::as<Tensor>(use.target);
  return labels != nullptr && labels->encoding == program::Encoding::one_hot;
}

std::string loss_words(const Program& program, const LossUse& use)
{
  return written_loss(program, use).value_or("the loss");
}

} // namespace faultline::rules
