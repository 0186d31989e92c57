#include "program/interpreter/operators.hpp"

#include "program/interpreter/arithmetic.hpp"
#include "program/interpreter/attributes.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/library_calls.hpp"
#include "program/values/classes.hpp"

#include <algorithm>

namespace faultline::program {

static bool is_number(Ref value)
{
  const auto* constant = as<Constant>(value);
  return value->kind == Kind::number ||
         (constant != nullptr && !std::holds_alternative<std::string>(constant->value));
}

static bool is_text(Ref value)
{
  const auto* constant = as<Constant>(value);
  return value->kind == Kind::text ||
         (constant != nullptr && std::holds_alternative<std::string>(constant->value));
}

static bool is_whole(Ref value)
{
  if (const auto* number = as<Number>(value)) {
    return number->integer;
  }
  return !std::holds_alternative<double>(as<Constant>(value)->value);
}

Ref operator_call(Interpreter& m, std::string_view name, std::vector<Argument> arguments, Span span)
{
  Call& call = m.record(std::string(name), find_api(name), span);
  call.arguments = std::move(arguments);
  return m.finish(call,
                  call.api != nullptr && call.api->transfer != nullptr ? call.api->transfer(m, call)
                                                                       : default_result(m, call));
}

// a + b of numbers, of which the values, the ranges or the sizes they stand for are known.
static Ref number_result(Interpreter& m, std::string_view sign, Ref a, Ref b)
{
  const bool assumed = a->assumed || b->assumed;
  const bool whole = is_whole(a) && is_whole(b) && sign != "/";
  if (a->kind == Kind::constant && b->kind == Kind::constant) {
    Ref result = nullptr;
    if (whole) {
      if (const std::optional<int64_t> value = whole_result(sign, *m.to_int(a), *m.to_int(b))) {
        result = m.integer(*value);
      }
    }
    if (result == nullptr) {
      const std::optional<double> value = real_result(sign, *m.to_double(a), *m.to_double(b));
      result = value ? m.real(*value) : m.number(Interval::top(), whole);
    }
    result->assumed = assumed;
    return result;
  }
  const Interval interval = interval_result(sign, m.to_interval(a), m.to_interval(b));
  auto* made = as<Number>(m.number(interval, whole));
  made->dim = whole ? dim_result(sign, m.to_dim(a), m.to_dim(b)) : Dim::top();
  if (made->dim.constant()) {
    return m.integer(*made->dim.constant());
  }
  made->assumed = assumed;
  return made;
}

// Null if the operator does nothing to a string on the left.
static Ref text_result(Interpreter& m, std::string_view sign, Ref a, Ref b)
{
  if (is_text(b) || sign == "%") {
    const auto* x = as<Constant>(a);
    const auto* y = as<Constant>(b);
    if (sign == "+" && x != nullptr && y != nullptr && is_text(b)) {
      return m.string(std::get<std::string>(x->value) + std::get<std::string>(y->value));
    }
    return m.text();
  }
  return sign == "*" ? m.text() : nullptr;
}

static Ref joined_sequence(Interpreter& m, const Sequence& x, const Sequence& y)
{
  std::vector<Ref> items = x.items;
  items.insert(items.end(), y.items.begin(), y.items.end());
  Sequence* made = m.list(std::move(items));
  made->type = x.type;
  made->open = made->open || x.open || y.open;
  made->rest = x.rest != nullptr && y.rest != nullptr ? m.join(x.rest, y.rest)
               : x.rest != nullptr                    ? x.rest
                                                      : y.rest;
  return made;
}

static Ref repeated_sequence(Interpreter& m, const Sequence& sequence, Ref count)
{
  const std::optional<int64_t> times = m.to_int(count);
  Sequence* made = m.list({});
  made->type = sequence.type;
  if (times && !sequence.open && (sequence.items.empty() || *times <= 0)) {
    return made;
  }
  constexpr size_t k_most_items = 4096;
  if (times && !sequence.open &&
      sequence.items.size() * static_cast<size_t>(std::min<int64_t>(*times, 1 << 20)) <=
          k_most_items) {
    for (int64_t i = 0; i < *times; ++i) {
      made->items.insert(made->items.end(), sequence.items.begin(), sequence.items.end());
    }
  } else {
    made->open = true;
    made->rest = sequence.items.empty() ? sequence.rest : sequence.items.front();
  }
  return made;
}

// What the object's class defines for the operator; unknown if nothing.
static Ref
object_result(Interpreter& m, Instance& object, std::string_view method_name, Ref b, Span span)
{
  if (object.klass != nullptr && find_in_class(*object.klass, method_name) != nullptr) {
    return m.call(m.attribute(&object, method_name, span), std::vector<Ref>{b}, span);
  }
  if (object.api != nullptr && find_method(*object.api, method_name) != nullptr) {
    return m.call(method(m, *object.api, object.api->name, &object, method_name, span),
                  std::vector<Ref>{b},
                  span);
  }
  return m.unknown();
}

static Ref choice_result(
    Interpreter& m, std::string_view sign, Ref a, Ref b, const Syntax& expression, bool in_place)
{
  const auto* choice = as<Choice>(a->kind == Kind::choice ? a : b);
  Ref result = nullptr;
  for (const Ref option : choice->options) {
    if (option->kind == Kind::none) {
      continue;
    }
    const Ref one = a->kind == Kind::choice
                        ? evaluate_binary(m, sign, option, b, expression, in_place)
                        : evaluate_binary(m, sign, a, option, expression, in_place);
    result = result == nullptr ? one : m.join(result, one);
  }
  return result != nullptr ? result : m.unknown();
}

Ref evaluate_binary(
    Interpreter& m, std::string_view sign, Ref a, Ref b, const Syntax& expression, bool in_place)
{
  const Sign* known = find_sign(sign);
  if (known == nullptr) {
    return m.unknown();
  }
  if (a->kind == Kind::tensor || b->kind == Kind::tensor) {
    const Span left = expression.child(0)->span;
    const Span right = expression.child(1)->span;
    return operator_call(m,
                         in_place ? known->in_place : known->name,
                         {{.name = "a", .value = a, .span = left, .given = true},
                          {.name = "b", .value = b, .span = right, .given = true}},
                         expression.span);
  }
  if (a->kind == Kind::choice || b->kind == Kind::choice) {
    return choice_result(m, sign, a, b, expression, in_place);
  }
  if (is_number(a) && is_number(b)) {
    return number_result(m, sign, a, b);
  }
  if (is_text(a)) {
    if (const Ref result = text_result(m, sign, a, b)) {
      return result;
    }
  }
  const auto* x = as<Sequence>(a);
  const auto* y = as<Sequence>(b);
  if (x != nullptr && y != nullptr && sign == "+") {
    return joined_sequence(m, *x, *y);
  }
  if (sign == "*" && (x != nullptr || y != nullptr)) {
    return repeated_sequence(m, x != nullptr ? *x : *y, x != nullptr ? b : a);
  }
  if (auto* object = as<Instance>(a)) {
    return object_result(m, *object, known->method, b, expression.span);
  }
  return m.unknown();
}

Ref evaluate_unary(Interpreter& m, const Syntax& expression)
{
  const Ref value = evaluate(m, expression.child(0));
  m.stand_at(expression.span);
  if (value->kind == Kind::tensor) {
    if (expression.text == "+") {
      return value;
    }
    return operator_call(
        m,
        expression.text == "-" ? "operator.neg" : "operator.invert",
        {{.name = "a", .value = value, .span = expression.child(0)->span, .given = true}},
        expression.span);
  }
  if (const auto* constant = as<Constant>(value)) {
    Ref result = nullptr;
    if (const std::optional<int64_t> whole = m.to_int(value);
        whole && !std::holds_alternative<double>(constant->value)) {
      result = m.integer(expression.text == "-"   ? (*whole == INT64_MIN ? *whole : -*whole)
                         : expression.text == "~" ? ~*whole
                                                  : *whole);
    } else if (const std::optional<double> number = m.to_double(value)) {
      result = m.real(expression.text == "-" ? -*number : *number);
    }
    if (result != nullptr) {
      result->assumed = value->assumed;
      return result;
    }
  }
  if (const auto* number = as<Number>(value)) {
    return m.number(expression.text == "-" ? number->interval.negated() : number->interval,
                    number->integer);
  }
  return m.unknown();
}

} // namespace faultline::program
