#include "trace/facts.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "trace/fields.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

namespace {

std::string lower(std::string_view text)
{
  std::string lowered(text);
  for (char& c : lowered) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lowered;
}

// "CrossEntropyLoss", "cross_entropy" and "crossEntropy" are one name.
std::string plain_name(std::string_view kind)
{
  std::string name;
  for (const char c : lower(kind)) {
    if (c != '_' && c != '-' && c != ' ') {
      name += c;
    }
  }
  if (name.ends_with("loss") && name.size() > 4) {
    name.resize(name.size() - 4);
  }
  return name;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names)
{
  return std::ranges::find(names, name) != names.end();
}

bool kind_has(const Layer& layer, std::initializer_list<std::string_view> words)
{
  return mentions(layer.kind, words);
}

std::vector<double> windows_of(const std::vector<double>& values, size_t windows)
{
  if (windows == 0 || values.size() < 2 * windows) {
    return {};
  }
  std::vector<double> means;
  for (size_t w = 0; w < windows; ++w) {
    const size_t begin = w * values.size() / windows;
    const size_t end = (w + 1) * values.size() / windows;
    double sum = 0;
    for (size_t i = begin; i < end; ++i) {
      sum += values[i];
    }
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

std::vector<double> values_of(const Trace& trace, double Step::*field)
{
  std::vector<double> values;
  for (const Step& step : trace.steps()) {
    if (std::isfinite(step.*field)) {
      values.push_back(step.*field);
    }
  }
  return values;
}

double mean_of(std::span<const double> values)
{
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return values.empty() ? k_unknown : sum / static_cast<double>(values.size());
}

size_t tenth_of(size_t n)
{
  return std::clamp<size_t>(n / 10, 1, 20);
}

bool same_numbers(const TensorStats& a, const TensorStats& b)
{
  return a.step == b.step && a.count == b.count && a.mean == b.mean && a.std == b.std &&
         a.min == b.min && a.max == b.max && a.norm == b.norm;
}

} // namespace

std::string number(double value)
{
  return value == 0 ? "0" : format("{:.3g}", value);
}

bool mentions(std::string_view text, std::initializer_list<std::string_view> words)
{
  const std::string lowered = lower(text);
  return std::ranges::any_of(words, [&lowered](std::string_view word) {
    return lowered.find(lower(word)) != std::string::npos;
  });
}

bool is_dense(const Layer& layer)
{
  return is_one_of(plain_name(layer.kind), {"linear", "dense", "lazylinear", "bilinear"});
}

bool is_convolution(const Layer& layer)
{
  return kind_has(layer, {"conv"});
}

bool is_pooling(const Layer& layer)
{
  return kind_has(layer, {"pool"});
}

bool is_normalisation(const Layer& layer)
{
  return kind_has(layer, {"norm"});
}

bool is_recurrent(const Layer& layer)
{
  return kind_has(layer, {"lstm", "gru", "rnn"});
}

bool is_embedding(const Layer& layer)
{
  return kind_has(layer, {"embedding"});
}

bool is_dropout(const Layer& layer)
{
  return kind_has(layer, {"dropout"});
}

bool is_learning(const Layer& layer)
{
  return is_dense(layer) || is_convolution(layer) || is_recurrent(layer);
}

std::string activation_of(const Layer& layer)
{
  const auto built_in = layer.settings.find("activation");
  std::string name = plain_name(layer.kind);
  if (built_in != layer.settings.end() && built_in->is_string()) {
    name = plain_name(built_in->get_ref<const std::string&>());
  }
  return is_one_of(name, {"relu",       "relu6",       "leakyrelu", "elu",        "selu",
                          "celu",       "gelu",        "silu",      "swish",      "mish",
                          "sigmoid",    "hardsigmoid", "tanh",      "hardtanh",   "softmax",
                          "logsoftmax", "softplus",    "softsign",  "prelu",      "rrelu",
                          "hardswish",  "threshold",   "glu",       "logsigmoid", "softmax2d"})
             ? name
             : std::string();
}

bool has_regulariser(const Trace& trace)
{
  return std::ranges::any_of(trace.layers(),
                             [](const auto& entry) { return is_dropout(entry.second); }) ||
         std::ranges::any_of(trace.optimizers(), [](const Optimizer& optimizer) {
           return setting(optimizer.settings, "weight_decay") > 0;
         });
}

const Layer* last_learning_layer(const Trace& trace)
{
  const std::vector<const Layer*> layers = trace.layers_in_order();
  const auto found = std::find_if(
      layers.rbegin(), layers.rend(), [](const Layer* layer) { return is_learning(*layer); });
  return found == layers.rend() ? nullptr : *found;
}

const Layer* head_activation(const Trace& trace)
{
  const std::vector<const Layer*> layers = trace.layers_in_order();
  for (auto it = layers.rbegin(); it != layers.rend(); ++it) {
    if (!activation_of(**it).empty()) {
      return *it;
    }
    if (!mentions((*it)->kind, {"flatten", "squeeze", "reshape"})) {
      return nullptr;
    }
  }
  return nullptr;
}

bool feeds(const Trace& trace, const Layer& from, const Layer& to)
{
  if (const auto told = to.settings.find("fed_by"); told != to.settings.end()) {
    return told->is_array() && std::ranges::any_of(*told, [&from](const Json& id) {
             return id.is_number_integer() && id.get<int64_t>() == from.id;
           });
  }
  const auto& outputs = trace.series(from.id, Role::output);
  const auto& inputs = trace.series(to.id, Role::input);
  return std::ranges::any_of(outputs, [&inputs](const TensorStats& output) {
    const auto input = std::ranges::find(inputs, output.step, &TensorStats::step);
    return input != inputs.end() && output.count > 1 && output.norm > 0 &&
           same_numbers(output, *input);
  });
}

LossFamily family_of(std::string_view kind)
{
  const std::string name = plain_name(kind);
  if (name.empty()) {
    return LossFamily::unknown;
  }
  if (is_one_of(name, {"crossentropy", "softmaxcrossentropy"})) {
    return LossFamily::logits;
  }
  if (is_one_of(name, {"nll", "nll2d"})) {
    return LossFamily::log_probabilities;
  }
  if (is_one_of(name, {"categoricalcrossentropy", "sparsecategoricalcrossentropy"})) {
    return LossFamily::probabilities;
  }
  if (is_one_of(name, {"binarycrossentropywithlogits", "bcewithlogits", "sigmoidcrossentropy"})) {
    return LossFamily::binary_logits;
  }
  if (is_one_of(name, {"binarycrossentropy", "bce", "log"})) {
    return LossFamily::binary_probabilities;
  }
  if (is_one_of(name,
                {"mse",
                 "l1",
                 "smoothl1",
                 "huber",
                 "meansquarederror",
                 "meanabsoluteerror",
                 "absolutedifference",
                 "mae"})) {
    return LossFamily::difference;
  }
  return LossFamily::other;
}

bool is_never_negative(LossFamily family)
{
  return family != LossFamily::unknown && family != LossFamily::other;
}

std::vector<const LossUse*> training_losses(const Trace& trace)
{
  std::vector<const LossUse*> uses;
  for (const LossUse& use : trace.losses()) {
    if (!use.evaluating) {
      uses.push_back(&use);
    }
  }
  return uses;
}

std::vector<const Observation*> observations_of(const Trace& trace, std::string_view name)
{
  std::vector<const Observation*> uses;
  for (const Observation& use : trace.observations()) {
    if (use.name == name) {
      uses.push_back(&use);
    }
  }
  return uses;
}

int64_t elements(const std::vector<int64_t>& shape)
{
  int64_t product = 1;
  for (const int64_t size : shape) {
    if (size < 0 || size > (int64_t{1} << 40) || product > (int64_t{1} << 40)) {
      return -1; // there is no such tensor
    }
    product *= size;
  }
  return product;
}

std::string print_shape(const std::vector<int64_t>& shape)
{
  std::string sizes;
  for (const int64_t size : shape) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  }
  return "(" + sizes + (shape.size() == 1 ? ",)" : ")");
}

std::vector<TensorStats> last_of(const std::vector<TensorStats>& series, size_t n)
{
  constexpr uint32_t k_apart = 5;
  std::vector<TensorStats> records;
  for (auto it = series.rbegin(); it != series.rend() && records.size() < n; ++it) {
    if (records.empty() || it->step + k_apart <= records.back().step) {
      records.push_back(*it);
    }
  }
  std::ranges::reverse(records);
  return records.size() == n ? records : std::vector<TensorStats>();
}

std::vector<double> loss_windows(const Trace& trace, size_t windows)
{
  return windows_of(values_of(trace, &Step::loss), windows);
}

std::vector<double> accuracy_windows(const Trace& trace, size_t windows)
{
  return windows_of(values_of(trace, &Step::accuracy), windows);
}

bool Progress::learns() const
{
  if (!known) {
    return false;
  }
  const bool falls = first > 0 ? last < 0.8 * first : last < first;
  return falls || accuracy >= 0.75;
}

// Whether several optimizers take turns, each with a loss of its own, as in adversarial training:
// one of the losses rises when the other falls.
static bool takes_turns(const Trace& trace)
{
  const std::vector<const LossUse*> losses = training_losses(trace);
  return trace.optimizers().size() > 1 &&
         std::ranges::any_of(losses, [&losses](const LossUse* use) {
           return use->site.line != losses.front()->site.line;
         });
}

Progress progress_of(const Trace& trace)
{
  Progress progress;
  if (takes_turns(trace)) {
    return progress;
  }
  const std::vector<double> losses = values_of(trace, &Step::loss);
  if (losses.size() < 5 || last_step(trace) < 20) {
    return progress;
  }
  const size_t n = tenth_of(losses.size());
  progress.known = true;
  progress.first = mean_of(std::span(losses).first(n));
  progress.last = mean_of(std::span(losses).last(n));
  progress.best = progress.first;
  for (size_t begin = 0; begin + n <= losses.size(); begin += n) {
    progress.best = std::min(progress.best, mean_of(std::span(losses).subspan(begin, n)));
  }
  if (const std::vector<double> accuracies = values_of(trace, &Step::accuracy);
      !accuracies.empty()) {
    progress.accuracy = mean_of(std::span(accuracies).last(tenth_of(accuracies.size())));
    progress.first_accuracy = mean_of(std::span(accuracies).first(tenth_of(accuracies.size())));
  }
  return progress;
}

bool has_broken_down(const Trace& trace)
{
  if (!trace.non_finites().empty()) {
    return true;
  }
  const Progress progress = progress_of(trace);
  return progress.known && progress.first > 0 && progress.last > 10 * progress.first;
}

double setting(const Json& settings, std::string_view key)
{
  const auto found = settings.find(key);
  return found != settings.end() && found->is_number() ? found->get<double>() : k_unknown;
}

std::string text_of(const Json& values, std::string_view key)
{
  std::string text;
  Fields(values).read(key, text);
  return text;
}

uint32_t last_step(const Trace& trace)
{
  const uint32_t stepped = trace.steps().empty() ? 0 : trace.steps().back().step;
  const uint32_t checked = trace.checks().empty() ? 0 : trace.checks().back().step;
  return std::max(stepped, checked);
}

} // namespace faultline::trace
