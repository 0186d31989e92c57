#include "rules/numerics/operands.hpp"

#include "rules/facts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace faultline::rules::numeric {

using program::as;
using program::DType;
using program::Truth;

namespace {

constexpr size_t k_most_ancestors = 400; // enough for a loss; a whole network need not be walked

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words)
{
  return std::ranges::find(words, word) != words.end();
}

bool is_comparison(const Call& call)
{
  return is_one_of(call.op(),
                   {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"});
}

bool contains_ignoring_case(std::string_view text, std::string_view word)
{
  const auto found =
      std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
      });
  return found != text.end() || word.empty();
}

// Whether `found` holds for `tensor` or something that it was computed from.
template <typename Found> bool any_ancestor(const Tensor* tensor, Found found)
{
  std::vector<const Tensor*> open{tensor};
  std::set<const Tensor*> seen;
  while (!open.empty() && seen.size() < k_most_ancestors) {
    const Tensor* const one = open.back();
    open.pop_back();
    if (one == nullptr || !seen.insert(one).second) {
      continue;
    }
    if (found(*one)) {
      return true;
    }
    if (one->producer != nullptr) {
      for (const Tensor* input : one->producer->inputs()) {
        open.push_back(input);
      }
    }
  }
  return false;
}

bool ends_in_training(const Program& program, const Call& call)
{
  std::vector<const Call*> open{&call};
  std::set<const Call*> seen;
  while (!open.empty() && seen.size() < k_most_ancestors) {
    const Call* const one = open.back();
    open.pop_back();
    const bool is_start = one == &call;
    if (!seen.insert(one).second) {
      continue;
    }
    if (is_one_of(one->op(), {"backward", "minimize", "grad_of"})) {
      return true;
    }
    if (!is_start && one->has(program::k_learning)) {
      continue;
    }
    const Tensor* const result = result_of(*one);
    const auto& next = program.consumers(result);
    open.insert(open.end(), next.begin(), next.end());
  }
  return false;
}

} // namespace

Interval interval_of(Ref value)
{
  if (const auto* tensor = as<Tensor>(value)) {
    return tensor->interval;
  }
  if (const auto* number = as<program::Number>(value)) {
    return number->interval;
  }
  if (const auto* constant = as<program::Constant>(value)) {
    if (const double* real = std::get_if<double>(&constant->value)) {
      return Interval::of(*real, *real);
    }
    if (const int64_t* whole = std::get_if<int64_t>(&constant->value)) {
      return Interval::point(static_cast<double>(*whole));
    }
  }
  return Interval::top();
}

std::optional<double> number_in(Ref value)
{
  return interval_of(value).value();
}

Operand operand(const Call& call, size_t n)
{
  Operand found;
  found.span = call.span;
  const bool on_tensor = as<Tensor>(call.self) != nullptr;
  if (on_tensor && n == 0) {
    found.value = call.self;
  } else {
    const size_t position = on_tensor ? n - 1 : n;
    if (position >= call.arguments.size()) {
      return found;
    }
    found.value = call.arguments[position].value;
    found.span = call.arguments[position].span;
  }
  found.tensor = as<Tensor>(found.value);
  found.interval = interval_of(found.value);
  return found;
}

const Tensor* result_of(const Call& call)
{
  return as<Tensor>(call.result);
}

const Call* maker(const Tensor* tensor)
{
  return value_producer(tensor);
}

bool is_made_by(const Tensor* tensor, std::string_view op)
{
  const Call* const made_by = maker(tensor);
  return made_by != nullptr && made_by->is(op);
}

const Tensor* held(const Tensor* tensor)
{
  const Call* const made_by = maker(tensor);
  const Tensor* const made = made_by != nullptr ? result_of(*made_by) : nullptr;
  return made != nullptr ? made : tensor;
}

FloatRange float_range(const Tensor* tensor)
{
  switch (tensor != nullptr ? tensor->dtype.kind() : DType::Kind::unknown) {
  case DType::Kind::float16:
    return {6e-8, 65504, 11.09, 4.9e-4};
  case DType::Kind::bfloat16:
    return {1.2e-38, 3.38e38, 88.7, 3.9e-3};
  case DType::Kind::float64:
    return {2.3e-308, 1.7976e308, 709.78, 1.2e-16};
  default:
    return {1.2e-38, 3.4028e38, 88.72, 6e-8};
  }
}

bool reaches_zero(const Operand& x)
{
  const double tiny = float_range(x.tensor).tiny;
  return x.interval.overlaps(-tiny, tiny);
}

bool is_zero(const Operand& x)
{
  const double tiny = float_range(x.tensor).tiny;
  return x.interval.is_known() && x.interval.low() >= -tiny && x.interval.high() <= tiny;
}

bool is_numpy(const Tensor* tensor)
{
  return tensor != nullptr && (tensor->library == program::Library::numpy ||
                               tensor->library == program::Library::pandas);
}

bool may_learn(const Tensor* tensor)
{
  return tensor != nullptr && tensor->requires_grad != Truth::no && !is_numpy(tensor);
}

bool depends_on_activations(const Tensor* tensor)
{
  return any_ancestor(tensor, [](const Tensor& one) {
    const Call* const call = one.producer;
    return call != nullptr && (call->has(program::k_learning | program::k_activation) ||
                               call->is("matmul") || call->is("einsum"));
  });
}

bool is_compared_with_zero(const Program& program, const Tensor* tensor)
{
  constexpr double k_near_zero = 1e-3;
  for (const Tensor* const one : {tensor, held(tensor)}) {
    if (one == nullptr) {
      continue;
    }
    for (const Call* use : program.consumers(one)) {
      if (use->is("is_nan") || use->is("reduce_any") || use->is("reduce_all")) {
        return true;
      }
      if (!is_comparison(*use)) {
        continue;
      }
      for (size_t n = 0; n < 2; ++n) {
        const auto number = number_in(operand(*use, n).value);
        if (number && std::abs(*number) <= k_near_zero) {
          return true;
        }
      }
    }
  }
  return false;
}

bool is_chosen_by_condition(const Program& program, const Call& call)
{
  const Tensor* const result = result_of(call);
  return std::ranges::any_of(program.consumers(result), [&](const Call* use) {
    return use->is("where") && operand(*use, 0).value != result;
  });
}

bool is_guarded(const Program& program, const Call& call, const Tensor* tensor)
{
  return is_compared_with_zero(program, tensor) || is_chosen_by_condition(program, call);
}

bool has_axis(const Call& reduction)
{
  for (const std::string_view name : {"axis", "dim", "reduction_indices", "axes"}) {
    const program::Argument* const written = reduction.given(name);
    if (written != nullptr && written->value->kind != program::Kind::none) {
      return true;
    }
  }
  return false;
}

bool is_within(const Call& call, std::string_view word)
{
  for (const program::Context* region = call.context; region != nullptr; region = region->parent) {
    const auto* function = as<program::Function>(region->subject);
    if (region->kind == program::Context::Kind::function && function != nullptr &&
        contains_ignoring_case(function->name, word)) {
      return true;
    }
  }
  return false;
}

FaultType type_of(const Program& program, const Call& call)
{
  if (is_within(call, "loss") || ends_in_training(program, call)) {
    return "training/loss-function/wrong-loss-function-calculation";
  }
  return "training/loss-function/missing-masking-of-invalid-values-to-zero";
}

Severity severity_of(bool certain)
{
  return certain ? Severity::error : Severity::warning;
}

bool is_torch(const Call& call)
{
  const Tensor* const result = result_of(call);
  return call.name.starts_with("torch") ||
         (result != nullptr && result->library == program::Library::torch);
}

std::string values_in(const Interval& interval)
{
  if (interval.low() == -Interval::k_inf && interval.high() == Interval::k_inf) {
    return "any value";
  }
  if (interval.high() == Interval::k_inf) {
    return format("values from {:g} up", interval.low());
  }
  if (interval.low() == -Interval::k_inf) {
    return format("values up to {:g}", interval.high());
  }
  return interval.value() ? format("{:g}", interval.low())
                          : format("values from {:g} to {:g}", interval.low(), interval.high());
}

} // namespace faultline::rules::numeric
