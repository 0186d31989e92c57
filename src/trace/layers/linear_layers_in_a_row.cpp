#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <initializer_list>

namespace faultline::trace {

namespace {

int64_t size_of(const Layer& layer, std::initializer_list<std::string_view> keys)
{
  for (const std::string_view key : keys) {
    const double size = setting(layer.settings, key);
    if (size >= 1 && size < 1e9) {
      return static_cast<int64_t>(size);
    }
  }
  return -1;
}

bool is_plain(const Layer& layer)
{
  // A convolution in groups is one half of a separable one, which needs no activation in between.
  return (is_dense(layer) || is_convolution(layer)) && activation_of(layer).empty() &&
         !(setting(layer.settings, "groups") > 1);
}

// A narrow layer in between is there to save weights, or is the code of an autoencoder.
bool is_bottleneck(const Layer& from, const Layer& to)
{
  const int64_t in = size_of(from, {"in_features", "in_channels"});
  const int64_t middle = size_of(from, {"out_features", "out_channels", "units", "filters"});
  const int64_t out = size_of(to, {"out_features", "out_channels", "units", "filters"});
  return middle < 0 || in < 0 || out < 0 || (middle < in && middle < out);
}

// Where a probe does not say which layer feeds which: a dense layer called next that takes as many
// features as the one before gives, and not as many as that one takes, so it is none beside it. An
// operation in between that is no known activation cannot be ruled out.
bool seems_to_feed(const Layer& from, const Layer& to)
{
  const int64_t in = size_of(from, {"in_features"});
  const int64_t out = size_of(from, {"out_features"});
  const int64_t next = size_of(to, {"in_features"});
  return is_dense(from) && is_dense(to) && !to.settings.contains("fed_by") &&
         to.order == from.order + 1 && in > 0 && out == next && in != next;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  constexpr size_t k_most_layers = 1000; // each is compared with each
  const std::vector<const Layer*> layers = trace.layers_in_order();
  const bool suffers = progress_of(trace).fails() || has_broken_down(trace);
  if ((!suffers && !trace.ended()) || layers.size() > k_most_layers) {
    return;
  }
  const Layer* head = head_activation(trace);
  const auto hidden = static_cast<size_t>(std::ranges::count_if(layers, [head](const Layer* layer) {
    return !activation_of(*layer).empty() && layer != head;
  }));
  for (const Layer* from : layers) {
    for (const Layer* to : layers) {
      const bool sure = feeds(trace, *from, *to);
      if (from == to || !is_plain(*from) || !(is_dense(*to) || is_convolution(*to)) ||
          is_bottleneck(*from, *to) || !(sure || seems_to_feed(*from, *to))) {
        continue;
      }
      const bool relu = std::ranges::any_of(
          layers, [](const Layer* layer) { return activation_of(*layer) == "relu"; });
      report.at(*from, 0, format("no activation between `{}` and `{}`", from->name, to->name))
          .severity(suffers || (sure && hidden >= 2) ? Severity::warning : Severity::info)
          .type(
              hidden >= 2 && relu
                  ? FaultType("model/layers/activation-function/missing-relu-activation-function")
                  : FaultType("model/layers/activation-function/wrong-type-of-activation-function"))
          .evidence(format("`{}` {} into `{}`, and {} other layers have an activation",
                           from->name,
                           sure ? "goes unchanged" : "seems to go",
                           to->name,
                           hidden))
          .help("put an activation such as ReLU in between: two linear layers in a row act as one");
    }
  }
}

extern const Symptom linear_layers_in_a_row{
    .name = "linear-layers-in-a-row",
    .summary = "Finds layers with weights that follow each other without an activation",
    .type = "model/layers/activation-function/wrong-type-of-activation-function",
    .fix_pattern = "activation",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
