#include "rules/numerics/patterns.hpp"

#include "program/values/walk.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules::numeric {

namespace {

bool is_difference(const Call& call)
{
  return call.is("sub") || call.is("subtract");
}

bool is_product(const Call& call)
{
  return call.is("mul") || call.is("multiply");
}

bool is_sum_of_elements(const Call& call)
{
  return call.is("reduce_sum") || call.is("reduce_mean");
}

const Tensor* argument_of(const Call& call)
{
  return operand(call, 0).tensor;
}

// Averages and sums of probabilities: every one of them would have to vanish at once.
bool is_pooled_probability(const Tensor* tensor)
{
  const Call* const pooled = maker(tensor);
  return pooled != nullptr && is_sum_of_elements(*pooled) &&
         probability_source(argument_of(*pooled)) != nullptr;
}

bool same_values(const Tensor* a, const Tensor* b)
{
  return a != nullptr && held(a) == held(b);
}

} // namespace

bool is_logarithm(const Call& call)
{
  return call.is("log") || call.is("log2") || call.is("log10");
}

std::optional<Operand> unsafe_logarithm(const Program& program, const Call& call)
{
  if (!is_logarithm(call)) {
    return std::nullopt;
  }
  const Operand x = operand(call, 0);
  if (x.tensor == nullptr || !x.interval.is_known() ||
      x.interval.low() > float_range(x.tensor).tiny) {
    return std::nullopt;
  }
  const bool is_data =
      x.tensor->source != nullptr && x.tensor->source->part == program::DataSource::Part::features;
  if (!is_data && !may_learn(result_of(call))) {
    return std::nullopt;
  }
  if (is_guarded(program, call, x.tensor) || is_pooled_probability(x.tensor)) {
    return std::nullopt;
  }
  return x;
}

const Tensor* complemented(const Tensor* tensor)
{
  const Call* const call = maker(tensor);
  if (call == nullptr || !is_difference(*call) || number_in(operand(*call, 0).value) != 1.0) {
    return nullptr;
  }
  return operand(*call, 1).tensor;
}

const Call* probability_source(const Tensor* tensor)
{
  const Call* const call = maker(tensor);
  return call != nullptr && (call->is("softmax") || call->is("sigmoid")) ? call : nullptr;
}

const Tensor* danger_origin(const Tensor* tensor)
{
  const Tensor* const inner = complemented(tensor);
  return held(inner != nullptr ? inner : tensor);
}

const Tensor* squared(const Tensor* tensor)
{
  const Call* const call = maker(tensor);
  if (call == nullptr) {
    return nullptr;
  }
  if (call->is("square") || call->is("squared_difference") ||
      (call->is("pow") && number_in(operand(*call, 1).value) == 2.0)) {
    return argument_of(*call);
  }
  const Operand a = operand(*call, 0);
  return is_product(*call) && a.tensor == operand(*call, 1).tensor ? a.tensor : nullptr;
}

const Call* summed_exponential(const Tensor* tensor)
{
  const Call* const sum = maker(tensor);
  if (sum == nullptr || !is_sum_of_elements(*sum)) {
    return nullptr;
  }
  const Call* const exponential = maker(argument_of(*sum));
  return exponential != nullptr && exponential->is("exp") ? exponential : nullptr;
}

bool is_shifted_by_maximum(const Call& exponential)
{
  const Call* const shift = maker(argument_of(exponential));
  if (shift == nullptr || !is_difference(*shift)) {
    return false;
  }
  // The maximum itself, or a constant or detached copy of it.
  const Tensor* largest = held(operand(*shift, 1).tensor);
  while (largest != nullptr && largest->producer != nullptr && largest->producer->is("detach")) {
    largest = held(argument_of(*largest->producer));
  }
  return is_made_by(largest, "reduce_max") || is_made_by(largest, "topk");
}

const Call* hand_written_softmax(const Call& division)
{
  if (!division.is("div")) {
    return nullptr;
  }
  const Call* const above = maker(operand(division, 0).tensor);
  const Tensor* const below = operand(division, 1).tensor;
  const Tensor* const sum = without_offset(below) != nullptr ? without_offset(below) : below;
  const Call* const summed = summed_exponential(sum);
  if (above == nullptr || !above->is("exp") || summed == nullptr) {
    return nullptr;
  }
  return above == summed || same_values(argument_of(*above), argument_of(*summed)) ? above
                                                                                   : nullptr;
}

const Call* hand_written_logsumexp(const Call& logarithm)
{
  if (!logarithm.is("log")) {
    return nullptr;
  }
  const Tensor* const x = argument_of(logarithm);
  return summed_exponential(without_offset(x) != nullptr ? without_offset(x) : x);
}

std::optional<UnboundedExponent> unbounded_exponent(const Call& formula, const Call& exponential)
{
  const Operand x = operand(exponential, 0);
  const double limit = float_range(x.tensor).log_huge;
  const bool is_bounded =
      x.interval.is_known() && x.interval.high() < limit && x.interval.low() > -limit;
  if (x.tensor == nullptr || is_bounded || is_shifted_by_maximum(exponential)) {
    return std::nullopt;
  }
  const bool overflows = x.interval.is_known() && may_learn(result_of(formula));
  return UnboundedExponent{.limit = limit,
                           .severity = overflows ? Severity::warning : Severity::info};
}

static const Tensor* rooted_squares(const Call& root)
{
  const bool is_root =
      root.is("sqrt") || (root.is("pow") && number_in(operand(root, 1).value) == 0.5);
  const Call* const sum = is_root ? maker(argument_of(root)) : nullptr;
  return sum != nullptr && sum->is("reduce_sum") ? squared(argument_of(*sum)) : nullptr;
}

const Tensor* normed(const Tensor* tensor)
{
  return program::walk(tensor,
                       static_cast<const Tensor*>(nullptr),
                       [](const Tensor* one, auto& into) -> const Tensor* {
                         const Call* const call = maker(one);
                         if (call == nullptr) {
                           return nullptr;
                         }
                         if (call->is("norm")) {
                           return argument_of(*call);
                         }
                         // A product of two lengths, as in the cosine of an angle.
                         if (is_product(*call)) {
                           const Tensor* const first = into(operand(*call, 0).tensor);
                           return first != nullptr && into(operand(*call, 1).tensor) != nullptr
                                      ? first
                                      : nullptr;
                         }
                         return rooted_squares(*call);
                       });
}

const Call* deviation_source(const Tensor* tensor)
{
  const Call* const call = maker(tensor);
  if (call == nullptr) {
    return nullptr;
  }
  if (call->is("reduce_std")) {
    return call;
  }
  const bool is_root =
      call->is("sqrt") || (call->is("pow") && number_in(operand(*call, 1).value) == 0.5);
  const Call* const spread = is_root ? maker(argument_of(*call)) : nullptr;
  if (spread == nullptr) {
    return nullptr;
  }
  if (spread->is("reduce_var") || spread->is("moments")) {
    return spread;
  }
  // mean((x - mean(x)) ** 2)
  const Call* const centred =
      spread->is("reduce_mean") ? maker(squared(argument_of(*spread))) : nullptr;
  return centred != nullptr && is_difference(*centred) &&
                 is_made_by(operand(*centred, 1).tensor, "reduce_mean")
             ? spread
             : nullptr;
}

static bool is_comparison(const Call& call)
{
  constexpr std::string_view k_signs[] = {
      "equal", "not_equal", "less", "less_equal", "greater", "greater_equal"};
  return std::ranges::any_of(k_signs, [&call](std::string_view op) { return call.is(op); });
}

const Call* mask_source(const Tensor* tensor)
{
  return program::walk(
      tensor, static_cast<const Call*>(nullptr), [](const Tensor* one, auto& into) -> const Call* {
        const Call* const call = maker(one);
        if (call == nullptr || is_comparison(*call)) {
          return call;
        }
        if (is_product(*call) || call->is("logical_and")) {
          const Call* const first = into(operand(*call, 0).tensor);
          return first != nullptr && into(operand(*call, 1).tensor) != nullptr ? first : nullptr;
        }
        return call->is("logical_not") || call->is("reduce_sum") ? into(argument_of(*call))
                                                                 : nullptr;
      });
}

const Tensor* without_offset(const Tensor* tensor, double* offset)
{
  const Call* const call = maker(tensor);
  if (call == nullptr || !call->is("add")) {
    return nullptr;
  }
  for (const size_t n : {0, 1}) {
    if (const auto number = number_in(operand(*call, n).value)) {
      if (offset != nullptr) {
        *offset = *number;
      }
      return operand(*call, 1 - n).tensor;
    }
  }
  return nullptr;
}

} // namespace faultline::rules::numeric
