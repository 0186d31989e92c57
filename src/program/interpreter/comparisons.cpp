#include "program/interpreter/comparisons.hpp"

#include "base/text.hpp"
#include "program/interpreter/arithmetic.hpp"
#include "program/interpreter/expressions.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/operators.hpp"

#include <cmath>

namespace faultline::program {

Ref truth_of(Machine& m, std::optional<bool> known, bool assumed)
{
  if (!known) {
    return m.truth();
  }
  const Ref made = m.boolean(*known);
  made->assumed = assumed;
  return made;
}

static Ref compare(Interpreter& m, std::string_view sign, Ref a, Ref b, const Syntax& expression)
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
      return truth_of(m, positive, assumed || expression.child(0)->kind == SyntaxKind::attribute);
    }
    if ((a->kind == Kind::none && surely_something(b)) ||
        (b->kind == Kind::none && surely_something(a))) {
      return truth_of(m, !positive, assumed);
    }
    const std::optional<bool> x = m.to_bool(a);
    const std::optional<bool> y = m.to_bool(b);
    return x && y ? truth_of(m, (*x == *y) == positive, assumed) : m.truth();
  }
  if (sign == "in" || sign == "not in") {
    const auto* needle = as<Constant>(a);
    if (needle == nullptr) {
      return m.truth();
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
    } else if (const std::optional<std::string_view> whole = m.to_string(b);
               whole && m.to_string(a)) {
      found = whole->find(*m.to_string(a)) != whole->npos;
    } else {
      sure = false;
    }
    if (!found && !sure) {
      return m.truth();
    }
    return truth_of(m, found == (sign == "in"), assumed);
  }
  if (a->kind == Kind::tensor || b->kind == Kind::tensor) {
    const Sign* known = find_sign(sign);
    if (known == nullptr) {
      return m.truth();
    }
    return operator_call(
        m,
        known->name,
        {{.name = "a", .value = a, .span = expression.child(0)->span, .given = true},
         {.name = "b", .value = b, .span = expression.children.back()->span, .given = true}},
        expression.span);
  }
  const auto* x = as<Constant>(a);
  const auto* y = as<Constant>(b);
  if (x != nullptr && y != nullptr) {
    if (const std::optional<double> p = m.to_double(a), q = m.to_double(b); p && q) {
      const bool result = sign == "=="   ? *p == *q
                          : sign == "!=" ? *p != *q
                          : sign == "<"  ? *p < *q
                          : sign == "<=" ? *p <= *q
                          : sign == ">"  ? *p > *q
                                         : *p >= *q;
      return truth_of(m, result, assumed);
    }
    if (sign == "==" || sign == "!=") {
      return truth_of(m, (x->value == y->value) == (sign == "=="), assumed);
    }
    return m.truth();
  }
  if (const auto* number = as<Number>(a); number != nullptr && m.to_double(b)) {
    // A number of which the range is known against a constant.
    const double limit = *m.to_double(b);
    if (number->interval.is_known() && std::isfinite(limit)) {
      if ((sign == "<" && number->interval.high() < limit) ||
          (sign == ">" && number->interval.low() > limit)) {
        return truth_of(m, true, assumed);
      }
    }
  }
  // Arrays that are not known would be compared element by element.
  return a->kind == Kind::unknown || b->kind == Kind::unknown ? m.unknown() : m.truth();
}

Ref evaluate_compare(Interpreter& m, const Syntax& expression)
{
  const std::vector<std::string_view> signs = split(expression.text, ',');
  std::vector<Ref> values;
  for (const Syntax* child : expression.children) {
    values.push_back(evaluate(m, child));
  }
  m.stand_at(expression.span);
  Ref result = nullptr;
  for (size_t i = 0; i + 1 < values.size() && i < signs.size(); ++i) {
    const Ref one = compare(m, signs[i], values[i], values[i + 1], expression);
    if (result == nullptr) {
      result = one;
      continue;
    }
    // a < b < c
    const std::optional<bool> x = m.truthiness(result);
    const std::optional<bool> y = m.truthiness(one);
    result = x && y ? truth_of(m, *x && *y, result->assumed || one->assumed) : m.truth();
  }
  return result != nullptr ? result : m.truth();
}

} // namespace faultline::program
