#include "rules/loss/labels.hpp"

#include "program/values/walk.hpp"
#include "rules/facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace faultline::rules {

using program::as;
using program::Encoding;

const Tensor* labels_of(const LossUse& use)
{
  return as<Tensor>(use.target);
}

const void* label_cause(const LossUse& use)
{
  return use.fit != nullptr ? use.fit : use.call;
}

bool is_classifying(LossKind kind)
{
  return is_categorical(kind) || kind == LossKind::binary || kind == LossKind::nll;
}

bool is_distance(LossKind kind)
{
  return kind == LossKind::mse || kind == LossKind::mae || kind == LossKind::huber;
}

const Call* output_layer(const LossUse& use)
{
  const Tensor* tensor = use.prediction;
  while (tensor != nullptr && tensor->producer != nullptr) {
    const Call& call = *tensor->producer;
    if (call.has(program::k_learning) || call.is("matmul")) {
      return &call;
    }
    const bool passes = call.has(program::k_activation) || call.has(program::k_reshaping) ||
                        call.has(program::k_dropping) || call.has(program::k_normalising) ||
                        call.is("add") || call.is("cast") || call.is("identity");
    const Tensor* input = passes ? call.input() : nullptr;
    if (input == nullptr || input == tensor) {
      return nullptr;
    }
    tensor = input;
  }
  return nullptr;
}

Span width_place(const Call& layer)
{
  constexpr std::array<std::string_view, 5> k_names = {
      "units", "out_features", "filters", "out_channels", "num_outputs"};
  for (const std::string_view name : k_names) {
    const program::Argument* setting = layer.setting(name);
    if (setting != nullptr && setting->given) {
      return setting->span;
    }
  }
  return layer.span;
}

bool is_squashing(const Call& call)
{
  return call.is("softmax") || call.is("log_softmax") || call.is("sigmoid");
}

bool are_indices(const Tensor& labels)
{
  return labels.encoding == Encoding::class_index;
}

bool are_classes(const Tensor& labels)
{
  switch (labels.encoding) {
  case Encoding::class_index:
  case Encoding::one_hot:
  case Encoding::multi_hot:
  case Encoding::binary:
    return true;
  default:
    return false;
  }
}

std::string_view words_for(LossKind kind)
{
  switch (kind) {
  case LossKind::categorical:
    return "categorical cross entropy";
  case LossKind::sparse_categorical:
    return "sparse categorical cross entropy";
  case LossKind::binary:
    return "binary cross entropy";
  case LossKind::nll:
    return "negative log-likelihood";
  case LossKind::mse:
    return "mean squared error";
  case LossKind::mae:
    return "mean absolute error";
  case LossKind::huber:
    return "Huber loss";
  default:
    return "loss";
  }
}

std::string loss_text(const Program& program, const LossUse& use)
{
  return written_loss(program, use).value_or(std::string(words_for(use.kind)));
}

// "BinaryAccuracy" → "binary_accuracy".
static std::string snake_case(std::string_view name)
{
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto letter = static_cast<unsigned char>(name[i]);
    if (std::isupper(letter) != 0 && i > 0 &&
        std::islower(static_cast<unsigned char>(name[i - 1])) != 0) {
      result += '_';
    }
    result += static_cast<char>(std::tolower(letter));
  }
  return result;
}

static std::string metric_name(Ref value)
{
  if (const auto* constant = as<program::Constant>(value)) {
    const auto* text = std::get_if<std::string>(&constant->value);
    return text != nullptr ? *text : std::string();
  }
  std::string_view path;
  if (const auto* name = as<program::ApiName>(value)) {
    path = name->path;
  } else if (const auto* object = as<Instance>(value);
             object != nullptr && object->klass == nullptr && object->api != nullptr) {
    path = object->api->name;
  }
  const std::string_view last = path.substr(path.rfind('.') + 1);
  const std::string name = snake_case(last);
  // The class compares element by element, the string means what suits the loss.
  return name == "accuracy" ? "exact_accuracy" : name;
}

std::vector<Metric> metrics_of(const LossUse& use)
{
  std::vector<Metric> metrics;
  const program::Argument* given =
      use.call != nullptr && use.call->is("compile") ? use.call->given("metrics") : nullptr;
  if (given != nullptr) {
    Span span = given->span;
    program::walk(
        given->value,
        true,
        [&](Ref one, auto& into) {
          const Span outer = span;
          if (const auto* list = as<program::Sequence>(one)) {
            for (const Ref item : list->items) {
              span = item->origin.empty() ? outer : item->origin;
              into(item);
            }
          } else if (std::string name = metric_name(one); !name.empty()) {
            metrics.push_back({std::move(name), span});
          }
          return true;
        },
        program::Again::visit);
  }
  return metrics;
}

} // namespace faultline::rules
