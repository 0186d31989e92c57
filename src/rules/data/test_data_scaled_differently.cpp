#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <cmath>

namespace faultline::rules {

// Data that a model sees, with where it is written.
struct Seen {
  const Tensor* data;
  const program::Argument* argument;
  const Call* call;
};

static std::vector<Seen> seen_by_training(const Program& program)
{
  std::vector<Seen> seen;
  for (const Call& call : program.calls()) {
    const program::Argument* x = call.is("fit") ? call.argument("x") : nullptr;
    const auto* data = x != nullptr ? program::as<Tensor>(x->value) : nullptr;
    if (data != nullptr) {
      seen.push_back({data, x, &call});
    }
  }
  return seen;
}

static bool is_other_scale(const Tensor& train, const Tensor& test)
{
  if (!train.interval.is_known() || !test.interval.is_known() || train.source == nullptr ||
      test.source == nullptr || train.source->name != test.source->name ||
      train.source->part != test.source->part) {
    return false;
  }
  const double a = train.interval.high() - train.interval.low();
  const double b = test.interval.high() - test.interval.low();
  constexpr double k_far = 10;
  return std::isfinite(a) && std::isfinite(b) && a > 0 && b > 0 && (a > k_far * b || b > k_far * a);
}

static void check(const Program& program, Reporter& report)
{
  const std::vector<Seen> trained = seen_by_training(program);
  const auto look = [&](const Call& call, const program::Argument& argument, Ref value) {
    const auto* data = program::as<Tensor>(value);
    for (const Seen& train : trained) {
      if (data == nullptr || train.call->self != call.self || !is_other_scale(*train.data, *data)) {
        continue;
      }
      report
          .add(argument.span,
               format("these values lie in {}, but the model was trained with values in {}",
                      data->interval.text(),
                      train.data->interval.text()))
          .note(train.argument->span, "trained with these")
          .help("scale training and test data in the same way")
          .cause(data);
      return;
    }
  };
  for (const Call& call : program.calls()) {
    if (call.is("evaluate") || call.is("predict")) {
      if (const program::Argument* x = call.argument("x")) {
        look(call, *x, x->value);
      }
    } else if (call.is("fit")) {
      const program::Argument* validation = call.given("validation_data");
      const auto* pair =
          validation != nullptr ? program::as<program::Sequence>(validation->value) : nullptr;
      if (pair != nullptr && !pair->items.empty()) {
        look(call, *validation, pair->items.front());
      }
    }
  }
}

extern const Rule test_data_scaled_differently{
    .name = "test-data-scaled-differently",
    .summary = "Finds test data that are not scaled like the training data",
    .applies = "any",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
