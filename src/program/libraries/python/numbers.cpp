// Python's numbers: conversion, sums, extremes.

#include "program/libraries/shared/reading.hpp"
#include "program/names/tables.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace faultline::program {

// A number that depends on `from` is as much an assumption as `from` is.
static Ref inherit(Ref result, Ref from)
{
  result->assumed = result->assumed || (from != nullptr && from->assumed);
  return result;
}

static Interval truncated(const Interval& interval)
{
  if (!interval.is_known()) {
    return interval;
  }
  return Interval::of(std::trunc(interval.low()), std::trunc(interval.high()));
}

static std::optional<double> parse_number(std::string_view text)
{
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || std::isnan(value)) {
    return std::nullopt;
  }
  return value;
}

static Ref make_int(Machine& m, Call& call)
{
  return for_each_option(m, take(m, call, "x"), [&](Ref x) -> Ref {
    if (const auto value = m.to_int(x)) {
      return inherit(m.integer(*value), x);
    }
    auto value = m.to_double(x);
    if (const auto text = m.to_string(x); text && call.given("base") == nullptr) {
      value = parse_number(*text);
    }
    if (value && fits_integer(*value)) {
      return inherit(m.integer(static_cast<int64_t>(std::trunc(*value))), x);
    }
    if (const auto* number = as<Number>(x); number != nullptr && number->integer) {
      return x;
    }
    return inherit(m.number(truncated(m.to_interval(x)), true), x);
  });
}

static Ref make_float(Machine& m, Call& call)
{
  return for_each_option(m, take(m, call, "x"), [&](Ref x) -> Ref {
    auto value = m.to_double(x);
    if (const auto text = m.to_string(x)) {
      value = parse_number(*text);
    }
    return inherit(value ? m.real(*value) : m.number(m.to_interval(x)), x);
  });
}

static Ref make_bool(Machine& m, Call& call)
{
  const Ref x = take(m, call, "x");
  const auto known = m.truthiness(x);
  return known ? inherit(m.boolean(*known), x) : m.truth();
}

static Ref absolute(Machine& m, Call& call)
{
  const Ref x = take(m, call, "x");
  if (const auto value = is_number(x) ? m.to_double(x) : std::nullopt) {
    const double size = std::fabs(*value);
    return is_integral(x) && fits_integer(size) ? m.integer(static_cast<int64_t>(size))
                                                : m.real(size);
  }
  if (const auto* tensor = as<Tensor>(x)) {
    Tensor* const result = m.like(call, *tensor);
    result->interval = tensor->interval.abs();
    return result;
  }
  return is_number(x) ? m.number(m.to_interval(x).abs(), is_integral(x)) : m.unknown();
}

static Ref rounded(Machine& m, Call& call)
{
  const Ref x = take(m, call, "number");
  const bool whole = m.is_none(take(m, call, "ndigits"));
  const auto digits = whole ? std::optional<int64_t>(0) : m.to_int(take(m, call, "ndigits"));
  const auto value = m.to_double(x);
  if (value && digits && *digits >= 0 && *digits < 16) {
    const double scale = std::pow(10.0, static_cast<double>(*digits));
    const double result = std::nearbyint(*value * scale) / scale;
    return whole && fits_integer(result) ? m.integer(static_cast<int64_t>(result)) : m.real(result);
  }
  if (const auto* tensor = as<Tensor>(x)) {
    return m.like(call, *tensor);
  }
  return m.number(m.to_interval(x), whole);
}

// Numbers are added up here; tensors by the operator, so that the graph shows it.
static Ref add(Machine& m, Ref a, Ref b, Span span)
{
  if (is_number(a) && is_number(b)) {
    const bool whole = is_integral(a) && is_integral(b);
    const auto x = m.to_double(a);
    const auto y = m.to_double(b);
    if (x && y && whole && fits_integer(*x + *y)) {
      return m.integer(static_cast<int64_t>(*x + *y));
    }
    return x && y ? m.real(*x + *y) : m.number(m.to_interval(a).plus(m.to_interval(b)), whole);
  }
  return m.call_api(
      "operator.add", {Argument{"a", a, span, true}, Argument{"b", b, span, true}}, span);
}

static Ref summed(Machine& m, Call& call)
{
  const Ref iterable = take(m, call, "iterable");
  if (const auto* tensor = as<Tensor>(iterable)) {
    if (!tensor->shape.has_rank() || tensor->shape.dims().empty()) {
      return m.tensor(call, Shape::top(), tensor->dtype);
    }
    const auto rows = tensor->shape.at(0).constant();
    Tensor* const result = m.tensor(call, tensor->shape.without(0), tensor->dtype);
    result->interval = rows ? tensor->interval.scaled(static_cast<double>(*rows)) : Interval::top();
    return result;
  }
  const Items items = expand(m, iterable, call.span);
  Ref total = nullptr;
  const auto start = m.to_double(take(m, call, "start"));
  if (call.given("start") != nullptr && start != 0.0) {
    total = take(m, call, "start");
  }
  for (const Ref item : items.items) {
    total = total == nullptr ? item : add(m, total, item, call.span);
  }
  if (items.open) {
    if (is_number(items.rest)) {
      return m.number(Interval::top(), is_integral(items.rest) && (!total || is_integral(total)));
    }
    // Twice stands for any number of times.
    const Ref once = total == nullptr ? items.rest : total;
    return add(m, once, items.rest, call.span);
  }
  return total != nullptr ? total : m.integer(0);
}

static Ref extreme(Machine& m, Call& call, bool highest)
{
  const std::vector<Ref> given = positional(call);
  Items items;
  if (given.size() == 1) {
    items = expand(m, given.front(), call.span);
  } else {
    items.items = given;
  }
  const std::vector<Ref> all = items.all();
  if (all.empty()) {
    return m.unknown();
  }
  const bool numbers = std::all_of(all.begin(), all.end(), is_number);
  const Argument* const key = call.argument("key");
  if (!numbers || (key != nullptr && !m.is_none(key->value))) {
    return join_all(m, all);
  }
  Ref best = nullptr;
  Interval interval = m.to_interval(all.front());
  bool integral = true;
  bool known = !items.open;
  for (const Ref item : all) {
    const auto value = m.to_double(item);
    known = known && value.has_value();
    if (known && (best == nullptr ||
                  (highest ? *value > *m.to_double(best) : *value < *m.to_double(best)))) {
      best = item;
    }
    interval =
        highest ? interval.maximum(m.to_interval(item)) : interval.minimum(m.to_interval(item));
    integral = integral && is_integral(item);
  }
  return known ? best : m.number(interval, integral);
}

static Ref largest(Machine& m, Call& call)
{
  return extreme(m, call, true);
}
static Ref smallest(Machine& m, Call& call)
{
  return extreme(m, call, false);
}

static Ref any_of(Machine& m, Call& call, bool seeking)
{
  const Items items = expand(m, take(m, call, "iterable"), call.span);
  bool sure = !items.open;
  for (const Ref item : items.items) {
    const auto truth = m.truthiness(item);
    if (truth == seeking) {
      return m.boolean(seeking);
    }
    sure = sure && truth.has_value();
  }
  return sure ? m.boolean(!seeking) : m.truth();
}

static Ref any(Machine& m, Call& call)
{
  return any_of(m, call, true);
}
static Ref all(Machine& m, Call& call)
{
  return any_of(m, call, false);
}

// The operator on two values; on known integers its result.
static Ref operated(Machine& m, const Call& call, std::string_view path, Ref a, Ref b)
{
  const auto x = is_integral(a) ? m.to_int(a) : std::nullopt;
  const auto y = is_integral(b) ? m.to_int(b) : std::nullopt;
  if (x && y && path == "operator.pow" && *y >= 0) {
    const double result = std::pow(static_cast<double>(*x), static_cast<double>(*y));
    if (fits_integer(result)) {
      return m.integer(static_cast<int64_t>(result));
    }
  }
  if (x && y && *y > 0 && path != "operator.pow") {
    const int64_t rest = ((*x % *y) + *y) % *y;
    return m.integer(path == "operator.mod" ? rest : (*x - rest) / *y);
  }
  if (is_number(a) && is_number(b)) {
    return m.number(Interval::top(), is_integral(a) && is_integral(b));
  }
  return m.call_api(
      path, {Argument{"a", a, call.span, true}, Argument{"b", b, call.span, true}}, call.span);
}

static Ref power(Machine& m, Call& call)
{
  return operated(m, call, "operator.pow", take(m, call, "base"), take(m, call, "exp"));
}

static Ref divided(Machine& m, Call& call)
{
  const Ref a = take(m, call, "a");
  const Ref b = take(m, call, "b");
  const Ref quotient = operated(m, call, "operator.floordiv", a, b);
  return m.tuple({quotient, operated(m, call, "operator.mod", a, b)});
}

static Ref some_integer(Machine& m, Call&)
{
  return m.number(Interval::top(), true);
}

static Ref code_point(Machine& m, Call& call)
{
  const auto text = m.to_string(take(m, call, "c"));
  if (text && text->size() == 1 && (*text)[0] > 0) {
    return m.integer(static_cast<int64_t>((*text)[0]));
  }
  return m.number(Interval::of(0, 1114111), true);
}

static Ref is_whole(Machine& m, Call& call)
{
  const auto value = m.to_double(call.self);
  return value ? m.boolean(*value == std::trunc(*value)) : m.truth();
}

static Ref self_as_it_is(Machine&, Call& call)
{
  return call.self;
}

static constexpr Api k_rows[] = {
    {"builtins.int", "x=0, base=10", Role::object, {}, 0, make_int},
    {"builtins.long", "x=0, base=10", Role::object, {}, 0, make_int},
    {"builtins.float", "x=0.0", Role::object, {}, 0, make_float},
    {"builtins.complex", "real=0, imag=0", Role::object},
    {"builtins.bool", "x=False", Role::object, {}, 0, make_bool},
    {"builtins.abs", "x", Role::function, "abs", k_elementwise, absolute},
    {"builtins.round", "number, ndigits=None", Role::function, {}, 0, rounded},
    {"builtins.sum", "iterable, start=0", Role::function, {}, 0, summed},
    {"builtins.max", "*args, key=None, default=None", Role::function, {}, 0, largest},
    {"builtins.min", "*args, key=None, default=None", Role::function, {}, 0, smallest},
    {"builtins.any", "iterable", Role::function, {}, 0, any},
    {"builtins.all", "iterable", Role::function, {}, 0, all},
    {"builtins.pow", "base, exp, mod=None", Role::function, {}, 0, power},
    {"builtins.divmod", "a, b", Role::function, {}, 0, divided},
    {"builtins.hash", "object", Role::function, {}, 0, some_integer},
    {"builtins.id", "object", Role::function, {}, 0, some_integer},
    {"builtins.ord", "c", Role::function, {}, 0, code_point},
    {"builtins.int.bit_length", "", Role::method, {}, 0, some_integer},
    {"builtins.int.to_bytes", "length=1, byteorder='big', signed=False", Role::method},
    {"builtins.int.from_bytes",
     "bytes, byteorder='big', signed=False",
     Role::method,
     {},
     0,
     some_integer},
    {"builtins.int.real", "", Role::attribute, {}, 0, self_as_it_is},
    {"builtins.int.item", "", Role::method, {}, 0, self_as_it_is},
    {"builtins.float.is_integer", "", Role::method, {}, 0, is_whole},
    {"builtins.float.real", "", Role::attribute, {}, 0, self_as_it_is},
    {"builtins.float.item", "", Role::method, {}, 0, self_as_it_is},
};

std::span<const Api> python_numbers()
{
  return k_rows;
}

} // namespace faultline::program
