#include "program/domains/interval.hpp"

#include "base/format.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::program {

namespace {

// A bound of zero times one of infinity is zero: the factor is exactly zero there.
double product(double a, double b)
{
  return a == 0 || b == 0 ? 0 : a * b;
}

bool is_whole(double value)
{
  return std::isfinite(value) && std::floor(value) == value;
}

} // namespace

Interval Interval::bottom()
{
  Interval result;
  result.m_kind = Kind::bottom;
  return result;
}

Interval Interval::top()
{
  return {};
}

Interval Interval::of(double low, double high)
{
  if (std::isnan(low) || std::isnan(high) || low > high) {
    return top();
  }
  Interval result;
  result.m_kind = Kind::known;
  result.m_low = low + 0.0; // so that -0 prints as 0
  result.m_high = high + 0.0;
  return result;
}

bool Interval::is_bottom() const
{
  return m_kind == Kind::bottom;
}

bool Interval::is_known() const
{
  return m_kind == Kind::known;
}

std::optional<double> Interval::value() const
{
  return is_known() && m_low == m_high && std::isfinite(m_low) ? std::optional(m_low)
                                                               : std::nullopt;
}

bool Interval::includes(double value) const
{
  return is_known() && m_low <= value && value <= m_high;
}

bool Interval::overlaps(double low, double high) const
{
  return is_known() && m_low <= high && low <= m_high;
}

Interval Interval::plus(const Interval& other) const
{
  if (!is_known() || !other.is_known()) {
    return is_bottom() || other.is_bottom() ? bottom() : top();
  }
  const double low = m_low + other.m_low;
  const double high = m_high + other.m_high;
  return of(std::isnan(low) ? -k_inf : low, std::isnan(high) ? k_inf : high);
}

Interval Interval::minus(const Interval& other) const
{
  return plus(other.negated());
}

Interval Interval::times(const Interval& other) const
{
  if (!is_known() || !other.is_known()) {
    return is_bottom() || other.is_bottom() ? bottom() : top();
  }
  const auto [low, high] = std::minmax({product(m_low, other.m_low),
                                        product(m_low, other.m_high),
                                        product(m_high, other.m_low),
                                        product(m_high, other.m_high)});
  return of(low, high);
}

Interval Interval::over(const Interval& other) const
{
  if (!is_known() || !other.is_known()) {
    return is_bottom() || other.is_bottom() ? bottom() : top();
  }
  if (other.includes(0)) {
    return reals();
  }
  return times(of(1 / other.m_high, 1 / other.m_low));
}

Interval Interval::negated() const
{
  return is_known() ? of(-m_high, -m_low) : *this;
}

// The absolute value of something unknown stays unknown: whether it reaches 0 is not known.
Interval Interval::abs() const
{
  if (!is_known()) {
    return *this;
  }
  const double high = std::max(std::abs(m_low), std::abs(m_high));
  return of(includes(0) ? 0 : std::min(std::abs(m_low), std::abs(m_high)), high);
}

Interval Interval::square() const
{
  const Interval size = abs();
  return size.times(size);
}

Interval Interval::maximum(const Interval& other) const
{
  if (is_bottom() || other.is_bottom()) {
    return bottom();
  }
  if (is_known() && other.is_known()) {
    return of(std::max(m_low, other.m_low), std::max(m_high, other.m_high));
  }
  // Who takes a maximum with a constant expects values below it.
  if (const auto bound = is_known() ? value() : other.value()) {
    return of(*bound, k_inf);
  }
  return top();
}

Interval Interval::minimum(const Interval& other) const
{
  return negated().maximum(other.negated()).negated();
}

Interval Interval::clipped(std::optional<double> low, std::optional<double> high) const
{
  if (is_bottom() || (!low && !high)) {
    return *this;
  }
  Interval result = *this;
  if (!is_known()) {
    return of(low.value_or(-k_inf), high.value_or(k_inf));
  }
  if (low) {
    result = result.maximum(point(*low));
  }
  if (high) {
    result = result.minimum(point(*high));
  }
  return result;
}

Interval Interval::power(double exponent) const
{
  if (exponent == 0) {
    return is_bottom() ? bottom() : point(1);
  }
  if (!is_known()) {
    return *this;
  }
  if (exponent == 2) {
    return square();
  }
  if (exponent < 0) {
    return point(1).over(power(-exponent));
  }
  if (is_whole(exponent)) {
    const Interval base = std::fmod(exponent, 2) == 0 ? abs() : *this;
    return of(std::pow(base.m_low, exponent), std::pow(base.m_high, exponent));
  }
  return of(std::pow(std::max(m_low, 0.0), exponent), std::pow(std::max(m_high, 0.0), exponent));
}

Interval Interval::exp() const
{
  return is_known() ? of(std::exp(m_low), std::exp(m_high)) : *this;
}

Interval Interval::log() const
{
  if (!is_known()) {
    return *this;
  }
  return of(m_low > 0 ? std::log(m_low) : -k_inf, m_high > 0 ? std::log(m_high) : -k_inf);
}

Interval Interval::sqrt() const
{
  if (!is_known()) {
    return *this;
  }
  return of(std::sqrt(std::max(m_low, 0.0)), std::sqrt(std::max(m_high, 0.0)));
}

Interval Interval::scaled(double count) const
{
  return is_known() && count >= 0 ? of(product(count, m_low), product(count, m_high)) : *this;
}

Interval Interval::floor() const
{
  return is_known() ? of(std::floor(m_low), std::floor(m_high)) : *this;
}

// Makes `one` hold `other`, too; `around` gives an interval that holds two known ones.
template <typename Around> static Effect extend(Interval& one, const Interval& other, Around around)
{
  if (one.contains(other)) {
    return Effect::unchanged;
  }
  if (one.is_bottom()) {
    one = other;
  } else if (!other.is_known()) {
    one = Interval::top();
  } else {
    one = around();
  }
  return Effect::changed;
}

Effect Interval::join(const Interval& other)
{
  return extend(*this, other, [&] {
    return of(std::min(m_low, other.m_low), std::max(m_high, other.m_high));
  });
}

Effect Interval::widen(const Interval& other)
{
  return extend(*this, other, [&] {
    return of(other.m_low < m_low ? -k_inf : m_low, other.m_high > m_high ? k_inf : m_high);
  });
}

bool Interval::contains(const Interval& other) const
{
  if (m_kind == Kind::unknown || other.is_bottom()) {
    return true;
  }
  return is_known() && other.is_known() && m_low <= other.m_low && other.m_high <= m_high;
}

std::string Interval::text() const
{
  if (is_bottom()) {
    return "nothing";
  }
  return is_known() ? format("[{:g}, {:g}]", m_low, m_high) : "unknown";
}

} // namespace faultline::program
