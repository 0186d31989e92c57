#include "base/format.hpp"
#include "base/text.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>
#include <map>

namespace faultline::program {

using Comparison = Dim::Comparison;

Combined combined(const Shape& a, const Shape& b)
{
  const Broadcast both = broadcast(a, b);
  if (both.outcome == Broadcast::Outcome::impossible) {
    return {Wrong{ProblemKind::broadcast,
                  format("shapes {} and {} cannot be combined: {} against {}",
                         a.text(),
                         b.text(),
                         both.left.text(),
                         both.right.text())}};
  }
  return {both.shape, both.both_grow};
}

Shaped concatenated(std::span<const Shape> shapes, int64_t axis)
{
  // torch skips empty vectors, whatever the rank of the others.
  std::vector<const Shape*> parts;
  for (const Shape& shape : shapes) {
    if (!shape.has_rank()) {
      return Shape::top();
    }
    if (shape != Shape::constants({0})) {
      parts.push_back(&shape);
    }
  }
  if (parts.empty()) {
    return shapes.empty() ? Shape::top() : shapes.front();
  }
  Shape result = *parts.front();
  if (auto wrong = axis_out_of_range(result, axis, "concatenation")) {
    return *std::move(wrong);
  }
  if (*result.rank() == 0) {
    return Wrong{ProblemKind::concat, "scalars cannot be concatenated"};
  }
  const size_t place = *result.axis(axis);
  Dim total = result.dims()[place];
  for (size_t n = 1; n < parts.size(); ++n) {
    const Shape& other = *parts[n];
    if (other.rank() != result.rank()) {
      return Wrong{ProblemKind::concat,
                   format("{} and {} cannot be concatenated: the ranks differ",
                          parts.front()->text(),
                          other.text())};
    }
    for (size_t i = 0; i < *other.rank(); ++i) {
      if (i != place && result.dims()[i].compare(other.dims()[i]) == Comparison::different) {
        return Wrong{ProblemKind::concat,
                     format("{} and {} cannot be concatenated along axis {}: axis {} differs",
                            parts.front()->text(),
                            other.text(),
                            axis,
                            i)};
      }
    }
    total = total.plus(other.dims()[place]);
    result = better_known(result, other);
  }
  return result.with(static_cast<int64_t>(place), total);
}

Shaped stacked(std::span<const Shape> shapes, int64_t axis)
{
  if (shapes.empty()) {
    return Shape::top();
  }
  Shape result = shapes.front();
  for (const Shape& other : shapes) {
    if (result.compare(other) == Comparison::different) {
      return Wrong{
          ProblemKind::concat,
          format("{} and {} cannot be stacked: the shapes differ", result.text(), other.text())};
    }
    result = better_known(result, other);
  }
  const Shaped grown = with_new_axis(result, axis);
  if (grown.wrong || !grown.shape.has_rank()) {
    return grown;
  }
  const auto rank = static_cast<int64_t>(*grown.shape.rank());
  return grown.shape.with(axis < 0 ? axis + rank : axis,
                          Dim::constant(static_cast<int64_t>(shapes.size())));
}

static Wrong no_contraction(const Shape& a, const Shape& b, const Dim& x, const Dim& y)
{
  return {
      ProblemKind::contraction,
      format(
          "{} and {} cannot be multiplied: {} against {}", a.text(), b.text(), x.text(), y.text())};
}

Shaped matrix_product(const Shape& a, const Shape& b)
{
  if (!a.has_rank() || !b.has_rank()) {
    return Shape::top();
  }
  if (*a.rank() == 0 || *b.rank() == 0) {
    return Wrong{ProblemKind::rank,
                 format("a matrix product of {} and {}: scalars have no rows", a.text(), b.text())};
  }
  const Dim x = a.at(-1);
  const Dim y = b.at(*b.rank() == 1 ? -1 : -2);
  if (x.compare(y) == Comparison::different) {
    return no_contraction(a, b, x, y);
  }
  const auto lead = [](const Shape& shape) {
    const auto& dims = shape.dims();
    return Shape::of({dims.begin(), dims.size() < 2 ? dims.begin() : dims.end() - 2});
  };
  const Broadcast batch = broadcast(lead(a), lead(b));
  if (batch.outcome == Broadcast::Outcome::impossible) {
    return no_contraction(a, b, batch.left, batch.right);
  }
  std::vector<Dim> dims = batch.shape.dims();
  if (*a.rank() > 1) {
    dims.push_back(a.at(-2));
  }
  if (*b.rank() > 1) {
    dims.push_back(b.at(-1));
  }
  return Shape::of(std::move(dims));
}

Shaped dot_product(const Shape& a, const Shape& b)
{
  if (!a.has_rank() || !b.has_rank()) {
    return Shape::top();
  }
  if (*a.rank() == 0 || *b.rank() == 0) {
    return *a.rank() == 0 ? b : a;
  }
  const int64_t axis = *b.rank() == 1 ? -1 : -2;
  if (a.at(-1).compare(b.at(axis)) == Comparison::different) {
    return no_contraction(a, b, a.at(-1), b.at(axis));
  }
  return a.without(*a.rank() - 1).plus(b.without(*b.axis(axis)));
}

Shaped tensor_product(const Shape& a,
                      const Shape& b,
                      std::span<const int64_t> axes_a,
                      std::span<const int64_t> axes_b)
{
  if (!a.has_rank() || !b.has_rank() || axes_a.size() != axes_b.size()) {
    return Shape::top();
  }
  std::vector<bool> gone_a(*a.rank(), false);
  std::vector<bool> gone_b(*b.rank(), false);
  for (size_t i = 0; i < axes_a.size(); ++i) {
    const auto x = a.axis(axes_a[i]);
    const auto y = b.axis(axes_b[i]);
    if (!x || !y) {
      return Wrong{ProblemKind::axis,
                   format("contracted axes are out of range for {} and {}", a.text(), b.text())};
    }
    if (a.dims()[*x].compare(b.dims()[*y]) == Comparison::different) {
      return no_contraction(a, b, a.dims()[*x], b.dims()[*y]);
    }
    gone_a[*x] = true;
    gone_b[*y] = true;
  }
  std::vector<Dim> dims;
  for (size_t i = 0; i < gone_a.size(); ++i) {
    if (!gone_a[i]) {
      dims.push_back(a.dims()[i]);
    }
  }
  for (size_t i = 0; i < gone_b.size(); ++i) {
    if (!gone_b[i]) {
      dims.push_back(b.dims()[i]);
    }
  }
  return Shape::of(std::move(dims));
}

Shaped einsum(std::string_view equation, std::span<const Shape> shapes)
{
  std::string text;
  std::ranges::copy_if(equation, std::back_inserter(text), [](char c) { return c != ' '; });
  // Ellipses would need the rank of the broadcast part: rare enough to give up on.
  if (text.find('.') != std::string::npos) {
    return Shape::top();
  }
  const size_t arrow = text.find("->");
  const std::vector<std::string_view> inputs = split(std::string_view(text).substr(0, arrow), ',');
  if (inputs.size() != shapes.size()) {
    return Shape::top();
  }
  std::map<char, Dim> sizes;
  std::map<char, int> uses;
  for (size_t n = 0; n < inputs.size(); ++n) {
    const Shape& shape = shapes[n];
    if (shape.has_rank() && *shape.rank() != inputs[n].size()) {
      return Wrong{ProblemKind::rank,
                   format("`{}` names {} axes, but the operand is {}",
                          inputs[n],
                          inputs[n].size(),
                          shape.text())};
    }
    for (size_t i = 0; i < inputs[n].size(); ++i) {
      const char letter = inputs[n][i];
      const Dim size = shape.at(static_cast<int64_t>(i));
      ++uses[letter];
      const auto [known, is_new] = sizes.emplace(letter, size);
      if (known->second.compare(size) == Comparison::different && !known->second.is(1) &&
          !size.is(1)) {
        return Wrong{ProblemKind::contraction,
                     format("axis `{}` of the equation has sizes {} and {}",
                            letter,
                            known->second.text(),
                            size.text())};
      }
      known->second = known->second.is(1) ? size : better_known(known->second, size);
    }
  }
  std::string output;
  if (arrow != std::string::npos) {
    output = text.substr(arrow + 2);
  } else {
    for (const auto& [letter, count] : uses) {
      if (count == 1) {
        output += letter;
      }
    }
  }
  std::vector<Dim> dims;
  for (const char letter : output) {
    const auto found = sizes.find(letter);
    dims.push_back(found != sizes.end() ? found->second : Dim::top());
  }
  return Shape::of(std::move(dims));
}

std::optional<Wrong> not_square(const Shape& input, std::string_view what)
{
  if (!input.has_rank()) {
    return std::nullopt;
  }
  if (*input.rank() < 2 || input.at(-1).compare(input.at(-2)) == Comparison::different) {
    return Wrong{ProblemKind::rank, format("{} needs a square matrix, not {}", what, input.text())};
  }
  return std::nullopt;
}

} // namespace faultline::program
