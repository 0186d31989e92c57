#include "program/domains/shape.hpp"

#include <algorithm>
#include <utility>

namespace faultline::program {

Shape Shape::bottom()
{
  Shape shape;
  shape.m_bottom = true;
  return shape;
}

Shape Shape::top()
{
  return {};
}

Shape Shape::of(std::vector<Dim> dims)
{
  Shape shape;
  shape.m_dims = std::move(dims);
  return shape;
}

Shape Shape::constants(std::initializer_list<int64_t> dims)
{
  std::vector<Dim> result;
  for (const int64_t dim : dims) {
    result.push_back(Dim::constant(dim));
  }
  return of(std::move(result));
}

Shape Shape::of_rank(size_t rank)
{
  return of(std::vector<Dim>(rank, Dim::top()));
}

std::optional<size_t> Shape::rank() const
{
  return m_dims ? std::optional(m_dims->size()) : std::nullopt;
}

const std::vector<Dim>& Shape::dims() const
{
  return *m_dims;
}

std::optional<size_t> Shape::axis(int64_t axis) const
{
  if (!m_dims) {
    return std::nullopt;
  }
  const auto rank = static_cast<int64_t>(m_dims->size());
  if (axis < -rank || axis >= rank) {
    return std::nullopt;
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

Dim Shape::at(int64_t axis_number) const
{
  const auto place = axis(axis_number);
  return place ? (*m_dims)[*place] : Dim::top();
}

Dim Shape::elements() const
{
  if (!m_dims) {
    return Dim::top();
  }
  Dim product = Dim::constant(1);
  for (const Dim& dim : *m_dims) {
    product = product.times(dim);
  }
  return product;
}

Shape Shape::with(int64_t axis_number, Dim dim) const
{
  Shape result = *this;
  if (const auto place = axis(axis_number)) {
    (*result.m_dims)[*place] = dim;
  }
  return result;
}

Shape Shape::inserted(size_t position, Dim dim) const
{
  Shape result = *this;
  if (m_dims && position <= m_dims->size()) {
    result.m_dims->insert(result.m_dims->begin() + static_cast<std::ptrdiff_t>(position), dim);
  }
  return result;
}

Shape Shape::without(size_t position) const
{
  Shape result = *this;
  if (m_dims && position < m_dims->size()) {
    result.m_dims->erase(result.m_dims->begin() + static_cast<std::ptrdiff_t>(position));
  }
  return result;
}

Shape Shape::behind(size_t first) const
{
  if (!m_dims) {
    return *this;
  }
  const size_t from = std::min(first, m_dims->size());
  return of({m_dims->begin() + static_cast<std::ptrdiff_t>(from), m_dims->end()});
}

Shape Shape::plus(const Shape& tail) const
{
  if (is_bottom() || tail.is_bottom()) {
    return bottom();
  }
  if (!m_dims || !tail.m_dims) {
    return top();
  }
  Shape result = *this;
  result.m_dims->insert(result.m_dims->end(), tail.m_dims->begin(), tail.m_dims->end());
  return result;
}

Dim::Comparison Shape::compare(const Shape& other) const
{
  if (!m_dims || !other.m_dims) {
    return Dim::Comparison::undecided;
  }
  if (m_dims->size() != other.m_dims->size()) {
    return Dim::Comparison::different;
  }
  auto result = Dim::Comparison::equal;
  for (size_t i = 0; i < m_dims->size(); ++i) {
    const auto one = (*m_dims)[i].compare((*other.m_dims)[i]);
    if (one == Dim::Comparison::different) {
      return one;
    }
    if (one == Dim::Comparison::undecided) {
      result = one;
    }
  }
  return result;
}

Effect Shape::join(const Shape& other)
{
  if (contains(other)) {
    return Effect::unchanged;
  }
  if (is_bottom()) {
    *this = other;
  } else if (!other.m_dims || m_dims->size() != other.m_dims->size()) {
    *this = top();
  } else {
    for (size_t i = 0; i < m_dims->size(); ++i) {
      (*m_dims)[i].join((*other.m_dims)[i]);
    }
  }
  return Effect::changed;
}

bool Shape::contains(const Shape& other) const
{
  if (other.is_bottom()) {
    return true;
  }
  if (is_bottom()) {
    return false;
  }
  if (!m_dims) {
    return true;
  }
  if (!other.m_dims || m_dims->size() != other.m_dims->size()) {
    return false;
  }
  for (size_t i = 0; i < m_dims->size(); ++i) {
    if (!(*m_dims)[i].contains((*other.m_dims)[i])) {
      return false;
    }
  }
  return true;
}

std::string Shape::text() const
{
  if (is_bottom()) {
    return "no shape";
  }
  if (!m_dims) {
    return "unknown shape";
  }
  std::string result = "(";
  for (size_t i = 0; i < m_dims->size(); ++i) {
    result += (i == 0 ? "" : ", ") + (*m_dims)[i].text();
  }
  return result + (m_dims->size() == 1 ? ",)" : ")");
}

Broadcast broadcast(const Shape& a, const Shape& b)
{
  Broadcast result;
  result.shape = Shape::top();
  if (!a.has_rank() || !b.has_rank()) {
    return result;
  }

  // A missing axis is null. A symbol stands for a size that is 1 only by accident.
  const auto stretches = [](const Dim* small, const Dim& large) {
    return (small == nullptr || small->is(1)) && !large.is(1) && !large.is_unknown();
  };
  const auto& left = a.dims();
  const auto& right = b.dims();
  const size_t rank = std::max(left.size(), right.size());
  std::vector<Dim> dims(rank, Dim::top());
  bool left_grows = false;
  bool right_grows = false;
  bool decided = true;
  for (size_t back = 1; back <= rank; ++back) {
    const Dim* x = back <= left.size() ? &left[left.size() - back] : nullptr;
    const Dim* y = back <= right.size() ? &right[right.size() - back] : nullptr;
    Dim& dim = dims[rank - back];
    left_grows = left_grows || (y != nullptr && stretches(x, *y));
    right_grows = right_grows || (x != nullptr && stretches(y, *x));
    if (x == nullptr || (y != nullptr && x->is(1))) {
      dim = *y;
    } else if (y == nullptr || y->is(1) || x->compare(*y) == Dim::Comparison::equal) {
      dim = *x;
    } else if (x->constant() && y->constant()) {
      result.outcome = Broadcast::Outcome::impossible;
      result.left = *x;
      result.right = *y;
      return result;
    } else {
      // If it fits at all, a constant other than 1 is the size of the result.
      decided = false;
      dim = x->constant() ? *x : y->constant() ? *y : Dim::top();
    }
  }
  result.outcome = decided ? Broadcast::Outcome::fits : Broadcast::Outcome::undecided;
  result.shape = Shape::of(std::move(dims));
  result.both_grow = left_grows && right_grows;
  return result;
}

} // namespace faultline::program
