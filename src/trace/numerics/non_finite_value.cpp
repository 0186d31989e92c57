#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace faultline::trace {

namespace {

// A copy of the process searches for the operation, and its report may take a while.
constexpr double k_patience = 5; // seconds

double seconds_since(const Trace& trace, uint32_t step)
{
  const auto then = std::ranges::lower_bound(trace.steps(), step, {}, &Step::step);
  return then == trace.steps().end() ? 0 : trace.steps().back().seconds - then->seconds;
}

bool is_lost(const TensorStats& stats)
{
  return stats.nan + stats.inf > 0;
}

// The earliest lost tensor: first by step, then in the order of the data: outputs as the layers
// are called, then gradients, then what the step made of the weights.
const TensorStats* first_lost(const Trace& trace)
{
  const auto rank = [&trace](const TensorStats& stats) {
    const Layer* layer = trace.layer(stats.layer);
    const int stage = stats.role == Role::input || stats.role == Role::output ? 0
                      : stats.role == Role::gradient                          ? 1
                                                                              : 2;
    return std::tuple(stats.step, stage, layer == nullptr ? -1 : layer->order);
  };
  const TensorStats* first = nullptr;
  for (const auto& [key, series] : trace.all_series()) {
    const auto found = std::ranges::find_if(series, is_lost);
    if (found != series.end() && (first == nullptr || rank(*found) < rank(*first))) {
      first = &*found;
    }
  }
  return first;
}

double largest_operand(const NonFinite& found)
{
  double largest = 0;
  for (const TensorFacts& operand : found.operands) {
    for (const double end : {operand.min, operand.max}) {
      largest = std::isnan(end) ? largest : std::max(largest, std::abs(end));
    }
  }
  return largest;
}

std::string range_of(const TensorFacts& facts)
{
  return facts.nan + facts.inf > 0
             ? format("{} values that are NaN or infinite", facts.nan + facts.inf)
             : format("values from {} to {}", number(facts.min), number(facts.max));
}

// The step size is the usual cause, so name it.
void advise_smaller_steps(Draft& draft, const Trace& trace)
{
  if (!trace.optimizers().empty() && !trace.steps().empty()) {
    const Optimizer& optimizer = trace.optimizers().front();
    draft.evidence(format("{} with a learning rate of {} ({}:{})",
                          optimizer.kind,
                          number(trace.steps().front().rate),
                          optimizer.site.file,
                          optimizer.site.line));
  }
  draft.help("lower the learning rate, scale the data, or clip the gradients");
}

// Operations at the edge of their domain are wrong whatever the step size.
void advise(Draft& draft, const NonFinite& found, const Layer* layer, const Trace& trace)
{
  const bool small = largest_operand(found) < 1e6;
  const bool in_loss = layer == nullptr || layer->parameters.empty();
  if (small && mentions(found.operation, {"erfinv", "atanh", "acos", "asin", "logit"})) {
    draft
        .type("tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
              "wrong-type-of-input-data-for-a-method")
        .fix_pattern("data-type")
        .help("32-bit numbers near the end of the domain are rounded to it: compute in double "
              "precision, or clamp further inside");
  } else if (small && found.backward &&
             mentions(found.operation, {"sqrt", "norm", "div", "pow", "std", "acos", "log"})) {
    draft.type("training/training-process/wrong-calculation-of-the-gradients-for-backpropagation")
        .fix_pattern("loss-function")
        .help("the value is finite but its slope is not: keep the operand away from zero");
  } else if (small && in_loss &&
             mentions(found.operation, {"log", "div", "sqrt", "pow", "reciprocal"})) {
    draft.type("training/loss-function/wrong-loss-function-calculation")
        .fix_pattern("loss-function")
        .help("keep the operand inside the domain: add a small constant, clamp it, or use a "
              "function "
              "that is stable, such as log_softmax");
  } else {
    advise_smaller_steps(draft, trace);
  }
}

void report_operation(const NonFinite& found, const Trace& trace, Reporter& report)
{
  const std::string message =
      format("{} of `{}` is the first value that is {}",
             found.backward ? "the gradient" : "the result",
             found.operation,
             found.result.nan > 0 || found.result.inf == 0 ? "not a number" : "infinite");
  const Layer* layer = trace.layer(found.layer);
  Draft& draft = found.site.line > 0 || layer == nullptr
                     ? report.at(found.site, found.step, message)
                     : report.at(*layer, found.step, message);
  for (size_t i = 0; i < found.operands.size(); ++i) {
    const TensorFacts& operand = found.operands[i];
    draft.evidence(format("operand {} of `{}`, {}, has {}",
                          i + 1,
                          found.operation,
                          print_shape(operand.shape),
                          range_of(operand)));
  }
  if (layer != nullptr) {
    draft.evidence(format("inside layer `{}`", layer->name));
  }
  advise(draft, found, layer, trace);
}

void report_tensor(const TensorStats& stats, const Trace& trace, Reporter& report)
{
  const std::string message =
      format("{} of {} values of {} are not finite",
             stats.nan + stats.inf,
             stats.count,
             stats.role == Role::output ? "an output" : "a parameter or its gradient");
  const Layer* layer = trace.layer(stats.layer);
  Draft& draft = layer == nullptr ? report.at_run(stats.step, message)
                                  : report.at(*layer, stats.step, message);
  draft.evidence(format("{}: {} NaN, {} infinite", name_of(stats.role), stats.nan, stats.inf));
  advise_smaller_steps(draft, trace);
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  if (!trace.non_finites().empty()) {
    if (trace.non_finites().front().operation != "data") {
      report_operation(trace.non_finites().front(), trace, report);
    }
    return;
  }
  if (const TensorStats* lost = first_lost(trace)) {
    if (!trace.ended() && seconds_since(trace, lost->step) < k_patience) {
      return;
    }
    report_tensor(*lost, trace, report);
    return;
  }
  for (const Step& step : trace.steps()) {
    if (std::isinf(step.loss)) {
      advise_smaller_steps(report.at_run(step.step, "the loss is infinite"), trace);
      return;
    }
  }
}

extern const Symptom non_finite_value{
    .name = "non-finite-value",
    .summary =
        "Finds the first value that is not a number or infinite, and the operation that made it",
    .type = "training/hyperparameters/suboptimal-learning-rate",
    .fix_pattern = "optimizer",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .explains = "TR016 TR018 TR019 TR020 TR017 TR024",
    .check = check,
};

} // namespace faultline::trace
