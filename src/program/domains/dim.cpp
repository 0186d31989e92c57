#include "program/domains/dim.hpp"

#include "base/format.hpp"

namespace faultline::program {

namespace {

constexpr uint32_t k_batch = 1;

std::optional<int64_t> sum(int64_t a, int64_t b)
{
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<int64_t> product(int64_t a, int64_t b)
{
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

// Rounds towards minus infinity; `by` is positive.
int64_t floor_of(int64_t value, int64_t by)
{
  return value / by - (value % by < 0 ? 1 : 0);
}

} // namespace

Dim Dim::bottom()
{
  Dim dim;
  dim.m_kind = Kind::bottom;
  return dim;
}

Dim Dim::top()
{
  return {};
}

Dim Dim::constant(int64_t value)
{
  Dim dim;
  dim.m_kind = Kind::constant;
  dim.m_offset = value;
  return dim;
}

Dim Dim::symbol(uint32_t id)
{
  Dim dim;
  dim.m_kind = Kind::affine;
  dim.m_symbol = id;
  dim.m_scale = 1;
  return dim;
}

Dim Dim::batch()
{
  return symbol(k_batch);
}

bool Dim::is_bottom() const
{
  return m_kind == Kind::bottom;
}

bool Dim::is_unknown() const
{
  return m_kind == Kind::unknown;
}

std::optional<int64_t> Dim::constant() const
{
  return m_kind == Kind::constant ? std::optional(m_offset) : std::nullopt;
}

Dim Dim::plus(const Dim& other) const
{
  if (is_bottom() || other.is_bottom()) {
    return bottom();
  }
  if (is_unknown() || other.is_unknown()) {
    return top();
  }
  if (m_symbol != 0 && other.m_symbol != 0 && m_symbol != other.m_symbol) {
    return top();
  }
  const auto scale = sum(m_scale, other.m_scale);
  const auto offset = sum(m_offset, other.m_offset);
  if (!scale || !offset) {
    return top();
  }
  if (*scale == 0) {
    return constant(*offset);
  }
  Dim result = symbol(m_symbol != 0 ? m_symbol : other.m_symbol);
  result.m_scale = *scale;
  result.m_offset = *offset;
  return result;
}

Dim Dim::minus(const Dim& other) const
{
  return plus(other.times(constant(-1)));
}

Dim Dim::times(const Dim& other) const
{
  if (is_bottom() || other.is_bottom()) {
    return bottom();
  }
  if (is(0) || other.is(0)) {
    return constant(0);
  }
  if (m_kind != Kind::constant) {
    return other.m_kind == Kind::constant ? other.times(*this) : top();
  }
  if (other.is_unknown()) {
    return is(1) ? other : top();
  }
  const auto scale = product(m_offset, other.m_scale);
  const auto offset = product(m_offset, other.m_offset);
  if (!scale || !offset) {
    return top();
  }
  Dim result = other;
  result.m_scale = *scale;
  result.m_offset = *offset;
  return result;
}

Dim Dim::floor_div(int64_t by) const
{
  if (by == 1 || is_bottom() || is_unknown()) {
    return *this;
  }
  if (by <= 0 || m_scale % by != 0) {
    return top();
  }
  Dim result = *this;
  result.m_scale = m_scale / by;
  result.m_offset = floor_of(m_offset, by);
  return result;
}

Dim Dim::ceil_div(int64_t by) const
{
  return by <= 0 ? top() : plus(constant(by - 1)).floor_div(by);
}

Dim::Comparison Dim::compare(const Dim& other) const
{
  if (is_bottom() || other.is_bottom() || is_unknown() || other.is_unknown()) {
    return Comparison::undecided;
  }
  if (*this == other) {
    return Comparison::equal;
  }
  if (m_symbol != 0 && other.m_symbol != 0 && m_symbol != other.m_symbol) {
    return Comparison::undecided;
  }
  // Both are affine in one symbol: solve scale * symbol = offset for a size, which is not negative.
  const auto scale = sum(m_scale, -other.m_scale);
  const auto offset = sum(other.m_offset, -m_offset);
  if (!scale || !offset) {
    return Comparison::undecided;
  }
  if (*scale == 0) {
    return Comparison::different;
  }
  if (*offset % *scale != 0 || *offset / *scale < 0) {
    return Comparison::different;
  }
  return Comparison::undecided;
}

Effect Dim::join(const Dim& other)
{
  if (contains(other)) {
    return Effect::unchanged;
  }
  *this = is_bottom() ? other : top();
  return Effect::changed;
}

bool Dim::contains(const Dim& other) const
{
  return is_unknown() || other.is_bottom() || *this == other;
}

std::string Dim::text() const
{
  if (is_bottom()) {
    return "nothing";
  }
  if (is_unknown()) {
    return "?";
  }
  if (m_kind == Kind::constant) {
    return format("{}", m_offset);
  }
  std::string name = m_symbol == k_batch ? "B" : format("d{}", m_symbol);
  if (m_scale != 1) {
    name = format("{}*{}", m_scale, name);
  }
  return m_offset == 0 ? name : format("{}{:+}", name, m_offset);
}

} // namespace faultline::program
