// Gradient descent on a squared error converges only while the rate stays below 2 / E[x²] in the
// direction of the inputs. With inputs in the thousands no usual rate does, and the loss doubles
// with every step until it is NaN. Adaptive optimizers divide by the gradient's size and survive.

#include "rules/facts.hpp"
#include "rules/numerics/patterns.hpp"
#include "rules/reporter.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules {

using numeric::Interval;

namespace {

constexpr double k_large = 1e3;

// Data that reach the first layer as they are.
struct Exposure {
  Span span;
  double size = 0; // of the largest value
};

std::optional<double> size_of(const Interval& values)
{
  if (!values.is_known() || !std::isfinite(values.low()) || !std::isfinite(values.high())) {
    return std::nullopt;
  }
  const double size = std::max(std::abs(values.low()), std::abs(values.high()));
  return size >= k_large ? std::optional(size) : std::nullopt;
}

bool is_normalised_somewhere(const Program& program)
{
  return std::ranges::any_of(program.calls(), [](const Call& call) {
    return call.has(program::k_normalising) || call.is("rescaling") || call.is("embedding") ||
           call.is("clip_gradients");
  });
}

// The parameter and the weights that it is multiplied by.
bool meets_weights(const Program& program, const Tensor* input)
{
  return std::ranges::any_of(program.consumers(input), [](const Call* use) {
    const Tensor* const result = numeric::result_of(*use);
    return (use->is("matmul") || use->is("mul") || use->is("multiply") || use->is("dense")) &&
           result != nullptr && result->requires_grad == program::Truth::yes;
  });
}

std::vector<Exposure> exposures(const Program& program)
{
  std::vector<Exposure> found;
  for (const Call& call : program.calls()) {
    if (call.is("fit")) {
      const program::Argument* const x = call.given("x");
      if (const auto size = x != nullptr ? size_of(numeric::interval_of(x->value)) : std::nullopt) {
        found.push_back({x->span, *size});
      }
    } else if (call.is("session_run")) {
      const program::Argument* const feed = call.given("feed_dict");
      const auto* fed = feed != nullptr ? program::as<program::Dict>(feed->value) : nullptr;
      for (const auto& [key, value] : fed != nullptr ? fed->items : decltype(fed->items){}) {
        const auto size = size_of(numeric::interval_of(value));
        if (size && meets_weights(program, program::as<Tensor>(key))) {
          found.push_back({feed->span, *size});
        }
      }
    } else if (call.is("dense") && call.input() != nullptr && numeric::is_torch(call)) {
      const Tensor& x = *call.input();
      if (const auto size = size_of(x.interval); size && x.requires_grad == program::Truth::no) {
        found.push_back({call.span, *size});
      }
    }
  }
  return found;
}

// The only optimizer is plain gradient descent with a known rate and without clipping.
const program::Argument* plain_rate(const Program& program)
{
  const program::Argument* rate = nullptr;
  for (const Call& call : program.calls()) {
    if (call.api == nullptr || call.api->role != program::Role::optimizer || !call.is("sgd")) {
      if (call.api != nullptr && call.api->role == program::Role::optimizer) {
        return nullptr;
      }
      continue;
    }
    if (call.given("clipnorm") != nullptr || call.given("clipvalue") != nullptr ||
        call.given("global_clipnorm") != nullptr) {
      return nullptr;
    }
    for (const std::string_view name : {"lr", "learning_rate"}) {
      const program::Argument* const written = call.argument(name);
      if (written != nullptr && numeric::number_in(written->value)) {
        rate = written;
      }
    }
  }
  return rate;
}

bool minimises_squared_error(const Program& program)
{
  const bool by_library = std::ranges::any_of(
      program.losses(), [](const LossUse& use) { return use.kind == program::LossKind::mse; });
  return by_library || std::ranges::any_of(program.calls(), [](const Call& call) {
           return numeric::squared(numeric::result_of(call)) != nullptr &&
                  numeric::result_of(call)->requires_grad == program::Truth::yes;
         });
}

void check(const Program& program, Reporter& report)
{
  const program::Argument* const rate = plain_rate(program);
  if (rate == nullptr || !minimises_squared_error(program) || is_normalised_somewhere(program)) {
    return;
  }
  for (const Exposure& exposure : exposures(program)) {
    // A third of the square is the mean square of values that are spread evenly.
    constexpr double k_stable = 2;
    const double step = *numeric::number_in(rate->value) * exposure.size * exposure.size / 3;
    if (step <= k_stable) {
      continue;
    }
    Draft& draft =
        report
            .add(exposure.span,
                 format("inputs up to {:g} are learned from as they are", exposure.size))
            .label("every step overshoots, and the loss grows until it is NaN")
            .help("scale the inputs to about [-1, 1], or lower the rate and clip the gradients")
            .cause(rate);
    if (rate->given) {
      draft.note(rate->span,
                 format("a rate of {:g} would need inputs below {:.2g}",
                        *numeric::number_in(rate->value),
                        std::sqrt(3 * k_stable / *numeric::number_in(rate->value))));
    }
  }
}

} // namespace

extern const Rule unscaled_input_diverges{
    .name = "unscaled-input-diverges",
    .summary = "Finds gradient descent on inputs so large that every step overshoots",
    .applies = "any",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
