// Operators on Python's own values; those on tensors are rows of libraries/shared/operators.cpp.

#include "base/text.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/values/classes.hpp"

#include <array>
#include <cmath>

namespace faultline::program {

namespace {

struct Sign {
  std::string_view sign;
  std::string_view name;     // operator.add
  std::string_view in_place; // operator.iadd
  std::string_view method;   // __add__
};

constexpr std::array<Sign, 19> k_signs = {{
    {"+", "operator.add", "operator.iadd", "__add__"},
    {"-", "operator.sub", "operator.isub", "__sub__"},
    {"*", "operator.mul", "operator.imul", "__mul__"},
    {"/", "operator.truediv", "operator.itruediv", "__truediv__"},
    {"//", "operator.floordiv", "operator.ifloordiv", "__floordiv__"},
    {"%", "operator.mod", "operator.imod", "__mod__"},
    {"**", "operator.pow", "operator.ipow", "__pow__"},
    {"@", "operator.matmul", "operator.imatmul", "__matmul__"},
    {"&", "operator.and", "operator.iand", "__and__"},
    {"|", "operator.or", "operator.ior", "__or__"},
    {"^", "operator.xor", "operator.ixor", "__xor__"},
    {"<<", "operator.lshift", "operator.ilshift", "__lshift__"},
    {">>", "operator.rshift", "operator.irshift", "__rshift__"},
    {"==", "operator.eq", "", "__eq__"},
    {"!=", "operator.ne", "", "__ne__"},
    {"<", "operator.lt", "", "__lt__"},
    {"<=", "operator.le", "", "__le__"},
    {">", "operator.gt", "", "__gt__"},
    {">=", "operator.ge", "", "__ge__"},
}};

const Sign* find_sign(std::string_view sign)
{
  for (const Sign& one : k_signs) {
    if (one.sign == sign) {
      return &one;
    }
  }
  return nullptr;
}

bool is_number(Ref value)
{
  const auto* constant = as<Constant>(value);
  return value->kind == Kind::number ||
         (constant != nullptr && !std::holds_alternative<std::string>(constant->value));
}

bool is_text(Ref value)
{
  const auto* constant = as<Constant>(value);
  return value->kind == Kind::text ||
         (constant != nullptr && std::holds_alternative<std::string>(constant->value));
}

bool is_whole(Ref value)
{
  if (const auto* number = as<Number>(value)) {
    return number->integer;
  }
  return !std::holds_alternative<double>(as<Constant>(value)->value);
}

std::optional<int64_t> whole_result(std::string_view sign, int64_t a, int64_t b)
{
  int64_t result = 0;
  if (sign == "+") {
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if (sign == "-") {
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if (sign == "*") {
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  }
  if ((sign == "//" || sign == "%") && b != 0 && !(b == -1 && a == INT64_MIN)) {
    const int64_t quotient = a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
    return sign == "//" ? quotient : a - quotient * b;
  }
  if (sign == "**" && b >= 0 && b < 64) {
    result = 1;
    for (int64_t i = 0; i < b; ++i) {
      if (__builtin_mul_overflow(result, a, &result)) {
        return std::nullopt;
      }
    }
    return result;
  }
  if (sign == "<<" && b >= 0 && b < 32 && a >= 0 && a < (int64_t{1} << 30)) {
    return a << b;
  }
  if (sign == ">>" && b >= 0 && b < 63) {
    return a >> b;
  }
  if (sign == "&") {
    return a & b;
  }
  if (sign == "|") {
    return a | b;
  }
  if (sign == "^") {
    return a ^ b;
  }
  return std::nullopt;
}

std::optional<double> real_result(std::string_view sign, double a, double b)
{
  if (sign == "+") {
    return a + b;
  }
  if (sign == "-") {
    return a - b;
  }
  if (sign == "*") {
    return a * b;
  }
  if (sign == "/" && b != 0) {
    return a / b;
  }
  if (sign == "//" && b != 0) {
    return std::floor(a / b);
  }
  if (sign == "%" && b != 0) {
    return a - std::floor(a / b) * b;
  }
  if (sign == "**") {
    const double power = std::pow(a, b);
    return std::isfinite(power) ? std::optional(power) : std::nullopt;
  }
  return std::nullopt;
}

Interval interval_result(std::string_view sign, const Interval& a, const Interval& b)
{
  return sign == "+"   ? a.plus(b)
         : sign == "-" ? a.minus(b)
         : sign == "*" ? a.times(b)
         : sign == "/" ? a.over(b)
                       : Interval::top();
}

Dim dim_result(std::string_view sign, const Dim& a, const Dim& b)
{
  if (sign == "+") {
    return a.plus(b);
  }
  if (sign == "-") {
    return a.minus(b);
  }
  if (sign == "*") {
    return a.times(b);
  }
  if (sign == "//" && b.constant() && *b.constant() > 0) {
    return a.floor_div(*b.constant());
  }
  return Dim::top();
}

} // namespace

Ref Interpreter::operator_call(std::string_view name, std::vector<Argument> arguments, Span span)
{
  Call& call = record(std::string(name), find_api(name), span);
  call.arguments = std::move(arguments);
  return finish(call,
                call.api != nullptr && call.api->transfer != nullptr
                    ? call.api->transfer(*this, call)
                    : default_result(call));
}

Ref Interpreter::evaluate_binary(
    std::string_view sign, Ref a, Ref b, const Syntax& expression, bool in_place)
{
  const Sign* known = find_sign(sign);
  if (known == nullptr) {
    return unknown();
  }
  if (a->kind == Kind::tensor || b->kind == Kind::tensor) {
    const Span left = expression.child(0)->span;
    const Span right = expression.child(1)->span;
    return operator_call(in_place ? known->in_place : known->name,
                         {{.name = "a", .value = a, .span = left, .given = true},
                          {.name = "b", .value = b, .span = right, .given = true}},
                         expression.span);
  }
  if (a->kind == Kind::choice || b->kind == Kind::choice) {
    const auto* choice = as<Choice>(a->kind == Kind::choice ? a : b);
    Ref result = nullptr;
    for (const Ref option : choice->options) {
      if (option->kind == Kind::none) {
        continue;
      }
      const Ref one = a->kind == Kind::choice
                          ? evaluate_binary(sign, option, b, expression, in_place)
                          : evaluate_binary(sign, a, option, expression, in_place);
      result = result == nullptr ? one : join(result, one);
    }
    return result != nullptr ? result : unknown();
  }
  if (is_number(a) && is_number(b)) {
    const bool assumed = a->assumed || b->assumed;
    const bool whole = is_whole(a) && is_whole(b) && sign != "/";
    if (a->kind == Kind::constant && b->kind == Kind::constant) {
      Ref result = nullptr;
      if (whole) {
        if (const std::optional<int64_t> value = whole_result(sign, *to_int(a), *to_int(b))) {
          result = integer(*value);
        }
      }
      if (result == nullptr) {
        const std::optional<double> value = real_result(sign, *to_double(a), *to_double(b));
        result = value ? real(*value) : number(Interval::top(), whole);
      }
      result->assumed = assumed;
      return result;
    }
    const Interval interval = interval_result(sign, to_interval(a), to_interval(b));
    auto* made = as<Number>(number(interval, whole));
    made->dim = whole ? dim_result(sign, to_dim(a), to_dim(b)) : Dim::top();
    if (made->dim.constant()) {
      return integer(*made->dim.constant());
    }
    made->assumed = assumed;
    return made;
  }
  if (is_text(a) && (is_text(b) || sign == "%")) {
    const auto* x = as<Constant>(a);
    const auto* y = as<Constant>(b);
    if (sign == "+" && x != nullptr && y != nullptr && is_text(b)) {
      return string(std::get<std::string>(x->value) + std::get<std::string>(y->value));
    }
    return text();
  }
  if (is_text(a) && sign == "*") {
    return text();
  }
  const auto* x = as<Sequence>(a);
  const auto* y = as<Sequence>(b);
  if (x != nullptr && y != nullptr && sign == "+") {
    std::vector<Ref> items = x->items;
    items.insert(items.end(), y->items.begin(), y->items.end());
    Sequence* made = list(std::move(items));
    made->type = x->type;
    made->open = x->open || y->open;
    made->rest = x->rest != nullptr && y->rest != nullptr ? join(x->rest, y->rest)
                 : x->rest != nullptr                     ? x->rest
                                                          : y->rest;
    return made;
  }
  if (sign == "*" && (x != nullptr || y != nullptr)) {
    const Sequence* sequence = x != nullptr ? x : y;
    const std::optional<int64_t> times = to_int(x != nullptr ? b : a);
    Sequence* made = list({});
    made->type = sequence->type;
    if (times && !sequence->open && (sequence->items.empty() || *times <= 0)) {
      return made;
    }
    constexpr size_t k_most_items = 4096;
    if (times && !sequence->open &&
        sequence->items.size() * static_cast<size_t>(std::min<int64_t>(*times, 1 << 20)) <=
            k_most_items) {
      for (int64_t i = 0; i < *times; ++i) {
        made->items.insert(made->items.end(), sequence->items.begin(), sequence->items.end());
      }
    } else {
      made->open = true;
      made->rest = sequence->items.empty() ? sequence->rest : sequence->items.front();
    }
    return made;
  }
  if (auto* object = as<Instance>(a)) {
    if (object->klass != nullptr && find_in_class(*object->klass, known->method) != nullptr) {
      return call(
          attribute(object, known->method, expression.span), std::vector<Ref>{b}, expression.span);
    }
    if (object->api != nullptr && find_method(*object->api, known->method) != nullptr) {
      return call(method(*object->api, object->api->name, object, known->method, expression.span),
                  std::vector<Ref>{b},
                  expression.span);
    }
  }
  return unknown();
}

Ref Interpreter::evaluate_unary(const Syntax& expression)
{
  const Ref value = evaluate(expression.child(0));
  m_here = expression.span;
  if (value->kind == Kind::tensor) {
    if (expression.text == "+") {
      return value;
    }
    return operator_call(
        expression.text == "-" ? "operator.neg" : "operator.invert",
        {{.name = "a", .value = value, .span = expression.child(0)->span, .given = true}},
        expression.span);
  }
  if (const auto* constant = as<Constant>(value)) {
    Ref result = nullptr;
    if (const std::optional<int64_t> whole = to_int(value);
        whole && !std::holds_alternative<double>(constant->value)) {
      result = integer(expression.text == "-"   ? (*whole == INT64_MIN ? *whole : -*whole)
                       : expression.text == "~" ? ~*whole
                                                : *whole);
    } else if (const std::optional<double> number = to_double(value)) {
      result = real(expression.text == "-" ? -*number : *number);
    }
    if (result != nullptr) {
      result->assumed = value->assumed;
      return result;
    }
  }
  if (const auto* number = as<Number>(value)) {
    return this->number(expression.text == "-" ? number->interval.negated() : number->interval,
                        number->integer);
  }
  return unknown();
}

Ref Interpreter::evaluate_compare(const Syntax& expression)
{
  const std::vector<std::string_view> signs = split(expression.text, ',');
  std::vector<Ref> values;
  for (const Syntax* child : expression.children) {
    values.push_back(evaluate(child));
  }
  m_here = expression.span;
  Ref result = nullptr;
  for (size_t i = 0; i + 1 < values.size() && i < signs.size(); ++i) {
    const Ref one = compare(signs[i], values[i], values[i + 1], expression);
    if (result == nullptr) {
      result = one;
      continue;
    }
    // a < b < c
    const std::optional<bool> x = truthiness(result);
    const std::optional<bool> y = truthiness(one);
    result = x && y ? truth_of(*x && *y, result->assumed || one->assumed) : truth();
  }
  return result != nullptr ? result : truth();
}

Ref Interpreter::compare(std::string_view sign, Ref a, Ref b, const Syntax& expression)
{
  const bool assumed = a->assumed || b->assumed;
  if (sign == "is" || sign == "is not" ||
      ((sign == "==" || sign == "!=") && (a->kind == Kind::none || b->kind == Kind::none))) {
    const bool positive = sign == "is" || sign == "==";
    const auto surely_something = [](Ref value) {
      return value->kind != Kind::unknown && value->kind != Kind::choice &&
             value->kind != Kind::none;
    };
    if (a->kind == Kind::none && b->kind == Kind::none) {
      // An attribute that is None by now may be set by the next call.
      return truth_of(positive, assumed || expression.child(0)->kind == SyntaxKind::attribute);
    }
    if ((a->kind == Kind::none && surely_something(b)) ||
        (b->kind == Kind::none && surely_something(a))) {
      return truth_of(!positive, assumed);
    }
    const std::optional<bool> x = to_bool(a);
    const std::optional<bool> y = to_bool(b);
    return x && y ? truth_of((*x == *y) == positive, assumed) : truth();
  }
  if (sign == "in" || sign == "not in") {
    const auto* needle = as<Constant>(a);
    if (needle == nullptr) {
      return truth();
    }
    bool sure = true;
    bool found = false;
    const auto look = [&](Ref held) {
      const auto* other = as<Constant>(held);
      sure = sure && other != nullptr;
      found = found || (other != nullptr && other->value == needle->value);
    };
    if (const auto* sequence = as<Sequence>(b)) {
      sure = !sequence->open;
      for (const Ref held : sequence->items) {
        look(held);
      }
    } else if (const auto* keys = as<Dict>(b)) {
      sure = !keys->open;
      for (const auto& [key, value] : keys->items) {
        look(key);
      }
    } else if (const std::optional<std::string_view> whole = to_string(b); whole && to_string(a)) {
      found = whole->find(*to_string(a)) != whole->npos;
    } else {
      sure = false;
    }
    if (!found && !sure) {
      return truth();
    }
    return truth_of(found == (sign == "in"), assumed);
  }
  if (a->kind == Kind::tensor || b->kind == Kind::tensor) {
    const Sign* known = find_sign(sign);
    if (known == nullptr) {
      return truth();
    }
    return operator_call(
        known->name,
        {{.name = "a", .value = a, .span = expression.child(0)->span, .given = true},
         {.name = "b", .value = b, .span = expression.children.back()->span, .given = true}},
        expression.span);
  }
  const auto* x = as<Constant>(a);
  const auto* y = as<Constant>(b);
  if (x != nullptr && y != nullptr) {
    if (const std::optional<double> p = to_double(a), q = to_double(b); p && q) {
      const bool result = sign == "=="   ? *p == *q
                          : sign == "!=" ? *p != *q
                          : sign == "<"  ? *p < *q
                          : sign == "<=" ? *p <= *q
                          : sign == ">"  ? *p > *q
                                         : *p >= *q;
      return truth_of(result, assumed);
    }
    if (sign == "==" || sign == "!=") {
      return truth_of((x->value == y->value) == (sign == "=="), assumed);
    }
    return truth();
  }
  if (const auto* number = as<Number>(a); number != nullptr && to_double(b)) {
    // A number of which the range is known against a constant.
    const double limit = *to_double(b);
    if (number->interval.is_known() && std::isfinite(limit)) {
      if ((sign == "<" && number->interval.high() < limit) ||
          (sign == ">" && number->interval.low() > limit)) {
        return truth_of(true, assumed);
      }
    }
  }
  // Arrays that are not known would be compared element by element.
  return a->kind == Kind::unknown || b->kind == Kind::unknown ? unknown() : truth();
}

} // namespace faultline::program
