#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

namespace {

constexpr size_t k_window = 5;

// Norm of the update over norm of the weights, in the last checks.
std::vector<double> update_ratios(const Trace& trace, const Layer& layer)
{
  const std::vector<TensorStats> updates = last_of(trace.series(layer.id, Role::update), k_window);
  const auto& weights = trace.series(layer.id, Role::weight);
  std::vector<double> ratios;
  for (const TensorStats& update : updates) {
    const auto weight = std::ranges::find(weights, update.step, &TensorStats::step);
    if (weight != weights.end() && weight->norm > 1e-6 && std::isfinite(update.norm)) {
      ratios.push_back(update.norm / weight->norm);
    }
  }
  return ratios.size() == k_window ? ratios : std::vector<double>();
}

bool has_gradient(const Trace& trace, const Layer& layer)
{
  const std::vector<TensorStats> gradients =
      last_of(trace.series(layer.id, Role::gradient), k_window);
  return !gradients.empty() &&
         std::ranges::all_of(gradients, [](const TensorStats& stats) { return stats.norm > 0; });
}

bool uses(const Trace& trace, std::string_view kind)
{
  return std::ranges::any_of(trace.optimizers(), [kind](const Optimizer& optimizer) {
    return mentions(optimizer.kind, {kind});
  });
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Progress progress = progress_of(trace);
  size_t slow = 0;
  size_t layers = 0;
  const Layer* slowest = nullptr;
  for (const Layer* layer : trace.layers_in_order()) {
    const std::vector<double> ratios = update_ratios(trace, *layer);
    if (!is_learning(*layer) || ratios.empty()) {
      continue;
    }
    ++layers;
    const uint32_t step = last_of(trace.series(layer->id, Role::update), k_window).front().step;
    const auto [least, most] = std::ranges::minmax(ratios);
    const bool optimised = layer->optimised.empty() || layer->optimised.front();
    const double rate = trace.steps().empty() ? k_unknown : trace.steps().back().rate;
    if (most == 0 && has_gradient(trace, *layer) && optimised && rate < 1e-6) {
      const Site site = trace.optimizers().empty() ? layer->site : trace.optimizers().front().site;
      report.at(site, step, "the steps are too small to change a weight at all")
          .evidence(format("learning rate {}", number(rate)))
          .help("raise the learning rate");
    } else if (most == 0 && has_gradient(trace, *layer) && optimised && !uses(trace, "lbfgs")) {
      // L-BFGS stops moving once it has converged.
      report
          .at(*layer,
              step,
              format("the weights of `{}` do not move although they have a gradient", layer->name))
          .evidence(format("no change in {} checks in a row", k_window))
          .type("training/training-process/wrongly-implemented-back-propagation")
          .fix_pattern("neural-connection")
          .help("the optimizer holds different parameters from those the model uses");
    } else if (least > 0.1) {
      report
          .at(*layer,
              step,
              format("each step changes the weights of `{}` by {:.0f}% or more",
                     layer->name,
                     100 * least))
          .severity(progress.fails() ? Severity::warning : Severity::info)
          .evidence(format("norm of the update divided by norm of the weights: {} to {}",
                           number(least),
                           number(most)))
          .help("lower the learning rate; an update is usually about a thousandth of the weights");
    } else if (most > 0 && most < 1e-5) {
      ++slow;
      slowest = layer;
    }
  }
  // Small steps are right at the end of a good run.
  if (slowest != nullptr && slow == layers && progress.fails() && !uses(trace, "adadelta") &&
      progress.last > 0.98 * progress.first) {
    const Site site = trace.optimizers().empty() ? slowest->site : trace.optimizers().front().site;
    report.at(site, last_step(trace), "the steps are far too small to make progress")
        .evidence(format("every layer changes by less than 1e-5 of its weights a step, the loss "
                         "went from {} to {}",
                         number(progress.first),
                         number(progress.last)))
        .help("raise the learning rate by a factor of ten or more");
  }
}

extern const Symptom update_size{
    .name = "update-size",
    .summary = "Finds steps that are far too large or too small for the weights",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .explains = "TR018",
    .check = check,
};

} // namespace faultline::trace
