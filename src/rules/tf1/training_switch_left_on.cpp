#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace faultline::rules {

using namespace tf1;

namespace {

// The switch of a layer that behaves differently in training, and whether a value means training.
struct Switch {
  const program::Argument* argument;
  bool is_keep; // a probability to keep: training below 1
  bool is_rate; // a probability to drop: training above 0
};

std::optional<Switch> switch_of(const Call& call)
{
  if (!call.name.starts_with("tensorflow.") || !(call.is("dropout") || call.is("batch_norm"))) {
    return std::nullopt;
  }
  for (const std::string_view name : {"training", "is_training"}) {
    if (const program::Argument* found = call.argument(name)) {
      return Switch{found, false, false};
    }
  }
  if (const program::Argument* found = call.given("keep_prob")) {
    return Switch{found, true, false};
  }
  if (const program::Argument* found = call.given("rate")) {
    return Switch{found, false, true};
  }
  return std::nullopt;
}

std::optional<double> number_of(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  if (constant == nullptr) {
    return std::nullopt;
  }
  if (const auto* flag = std::get_if<bool>(&constant->value)) {
    return *flag ? 1 : 0;
  }
  if (const auto* whole = std::get_if<int64_t>(&constant->value)) {
    return static_cast<double>(*whole);
  }
  const auto* real = std::get_if<double>(&constant->value);
  return real != nullptr ? std::optional(*real) : std::nullopt;
}

bool means_training(const Switch& mode, Ref value)
{
  const std::optional<double> number = number_of(value);
  if (!number) {
    return false;
  }
  return mode.is_keep ? *number < 1 : mode.is_rate ? *number > 0 && *number < 1 : *number != 0;
}

// The run is fed with test or validation data: by where it comes from, else by its names.
bool is_evaluation(const Graph& graph, const Run& run)
{
  if (first_of(run.needs, is_training) != nullptr) {
    return false;
  }
  for (const Feed& feed : run.feeds) {
    const auto* data = program::as<Tensor>(feed.value);
    if (data != nullptr && data->source != nullptr) {
      return data->source->split == program::DataSource::Split::test ||
             data->source->split == program::DataSource::Split::validation;
    }
  }
  std::string text(graph.program().text(run.call->span));
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  constexpr std::array<std::string_view, 5> k_words = {"test", "valid", "_val", "val_", "_eval"};
  return text.find("train") == std::string::npos &&
         std::ranges::any_of(k_words, [&text](std::string_view word) {
           return text.find(word) != std::string::npos;
         });
}

const Feed* feed_of(const Run& run, const Call& placeholder)
{
  const auto found = std::ranges::find_if(
      run.feeds, [&](const Feed& feed) { return maker(feed.placeholder) == &placeholder; });
  return found != run.feeds.end() ? &*found : nullptr;
}

std::string_view name_of(const Call& call)
{
  return call.is("dropout") ? "dropout" : "batch normalisation";
}

void check_layer(const Graph& graph, const Run& run, const Call& layer, Reporter& report)
{
  const std::optional<Switch> mode = switch_of(layer);
  if (!mode) {
    return;
  }
  const Call* holder = maker(mode->argument->value);
  if (holder == nullptr) {
    const bool is_trained = std::ranges::any_of(graph.runs(), [&](const Run& other) {
      return other.needs.has(layer) && first_of(other.needs, is_training) != nullptr;
    });
    if (is_trained && means_training(*mode, mode->argument->value)) {
      report
          .add(mode->argument->given ? mode->argument->span : layer.span,
               format("{} stays in training mode when the model is evaluated", name_of(layer)))
          .note(run.call->span, "evaluated here, with the same layer as in training")
          .help("make the mode a placeholder and feed it")
          .cause(&layer);
    }
    return;
  }
  if (!holder->is("placeholder")) {
    return;
  }
  if (const Feed* feed = feed_of(run, *holder)) {
    if (means_training(*mode, feed->value)) {
      report
          .add(run.call->span,
               format("{} is left in training mode for the evaluation", name_of(layer)))
          .note(layer.span, "the layer")
          .help(mode->is_keep   ? "feed 1.0: keep everything"
                : mode->is_rate ? "feed 0.0: drop nothing"
                                : "feed `False`")
          .cause(run.call);
    }
    return;
  }
  const Ref fallback = holder->arg("input");
  if (run.feeds_known && fallback != nullptr && means_training(*mode, fallback)) {
    report
        .add(run.call->span,
             format("{} keeps its default, the training mode, for the evaluation", name_of(layer)))
        .note(holder->span, "the default")
        .help("feed the mode in this run")
        .cause(run.call);
  }
}

} // namespace

static void check(const Graph& graph, Reporter& report)
{
  for (const Run& run : graph.runs()) {
    if (!is_evaluation(graph, run)) {
      continue;
    }
    for (const Call* layer : run.needs.calls) {
      check_layer(graph, run, *layer, report);
    }
  }
}

extern const Rule training_switch_left_on{
    .name = "training-switch-left-on",
    .summary = "Finds dropout and batch normalisation that stay in training mode when the model is "
               "evaluated",
    .applies = "tf1",
    .type = "api/missing-argument-scoping",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_graph<check>,
};

} // namespace faultline::rules
