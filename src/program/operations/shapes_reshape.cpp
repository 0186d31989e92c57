#include "base/format.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>

namespace faultline::program {

Dim better_known(const Dim& a, const Dim& b)
{
  if (a.constant() || b.is_unknown()) {
    return a;
  }
  return b.constant() || a.is_unknown() ? b : a;
}

Shape better_known(const Shape& a, const Shape& b)
{
  if (!a.has_rank() || !b.has_rank()) {
    return a.has_rank() ? a : b;
  }
  if (a.rank() != b.rank()) {
    return a;
  }
  std::vector<Dim> dims;
  for (size_t i = 0; i < a.dims().size(); ++i) {
    dims.push_back(better_known(a.dims()[i], b.dims()[i]));
  }
  return Shape::of(std::move(dims));
}

namespace {

// The sizes of a shape as a product: a constant times symbols, which can be cancelled.
struct Product {
  Dim constant = Dim::constant(1);
  std::vector<Dim> symbols;
  bool unknown = false;

  void times(const Dim& dim)
  {
    if (dim.is_unknown()) {
      unknown = true;
    } else if (dim.constant()) {
      constant = constant.times(dim);
    } else {
      symbols.push_back(dim);
    }
  }

  Dim value() const
  {
    Dim result = unknown ? Dim::top() : constant;
    for (const Dim& symbol : symbols) {
      result = result.times(symbol);
    }
    return result;
  }
};

void cancel(Product& a, Product& b)
{
  for (size_t i = 0; i < a.symbols.size();) {
    const auto same = std::ranges::find(b.symbols, a.symbols[i]);
    if (same == b.symbols.end()) {
      ++i;
      continue;
    }
    b.symbols.erase(same);
    a.symbols.erase(a.symbols.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

Wrong cannot_reshape(const Shape& from, const std::vector<Dim>& to)
{
  return {ProblemKind::reshape,
          format("{} with {} elements cannot be reshaped to {}",
                 from.text(),
                 from.elements().text(),
                 Shape::of(to).text())};
}

} // namespace

Shaped reshaped(const Shape& from, const std::vector<Dim>& to)
{
  std::optional<size_t> free;
  Product wanted;
  for (size_t i = 0; i < to.size(); ++i) {
    if (!to[i].is(-1)) {
      wanted.times(to[i]);
    } else if (free) {
      return Wrong{ProblemKind::reshape,
                   format("only one size of {} can be -1", Shape::of(to).text())};
    } else {
      free = i;
    }
  }
  std::vector<Dim> dims = to;
  if (free) {
    dims[*free] = Dim::top();
  }
  if (!from.has_rank()) {
    return Shape::of(std::move(dims));
  }
  Product had;
  for (const Dim& dim : from.dims()) {
    had.times(dim);
  }
  cancel(had, wanted);
  if (had.unknown || wanted.unknown) {
    return Shape::of(std::move(dims));
  }
  if (!free) {
    if (had.value().compare(wanted.value()) == Dim::Comparison::different) {
      return cannot_reshape(from, to);
    }
    return Shape::of(std::move(dims));
  }
  const auto each = wanted.constant.constant();
  const auto scale = had.constant.constant();
  if (!wanted.symbols.empty() || !each || !scale || *each <= 0) {
    return Shape::of(std::move(dims));
  }
  if (*scale % *each == 0) {
    had.constant = Dim::constant(*scale / *each);
    dims[*free] = had.value();
    return Shape::of(std::move(dims));
  }
  // Whole samples may be grouped, but a sample cut into pieces of the wrong size does not come out
  // even for a batch of any size.
  const bool any_batch = had.symbols.size() == 1 && had.symbols.front() == Dim::batch();
  if (had.symbols.empty() || (any_batch && *each % *scale != 0)) {
    return cannot_reshape(from, to);
  }
  return Shape::of(std::move(dims));
}

Shaped flattened(const Shape& input, int64_t first_axis, int64_t last_axis)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  if (*input.rank() == 0) {
    return Shape::constants({1});
  }
  for (const int64_t axis : {first_axis, last_axis}) {
    if (auto wrong = axis_out_of_range(input, axis, "flatten")) {
      return *std::move(wrong);
    }
  }
  const size_t first = *input.axis(first_axis);
  const size_t last = *input.axis(last_axis);
  if (first > last) {
    return Wrong{ProblemKind::axis,
                 format("flatten from axis {} to axis {} goes backwards", first_axis, last_axis)};
  }
  std::vector<Dim> dims;
  Dim product = Dim::constant(1);
  for (size_t i = 0; i < *input.rank(); ++i) {
    if (i < first || i > last) {
      dims.push_back(input.dims()[i]);
      continue;
    }
    product = product.times(input.dims()[i]);
    if (i == last) {
      dims.push_back(product);
    }
  }
  return Shape::of(std::move(dims));
}

Shaped transposed(const Shape& input, int64_t a, int64_t b)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  for (const int64_t axis : {a, b}) {
    if (auto wrong = axis_out_of_range(input, axis, "transpose")) {
      return *std::move(wrong);
    }
  }
  if (*input.rank() == 0) {
    return input;
  }
  std::vector<Dim> dims = input.dims();
  std::swap(dims[*input.axis(a)], dims[*input.axis(b)]);
  return Shape::of(std::move(dims));
}

Shaped permuted(const Shape& input, std::span<const int64_t> order)
{
  if (!input.has_rank()) {
    return Shape::of_rank(order.size());
  }
  if (order.size() != *input.rank()) {
    return Wrong{ProblemKind::axis,
                 format("{} axes are permuted, but the input is {}", order.size(), input.text())};
  }
  std::vector<Dim> dims;
  std::vector<bool> used(order.size(), false);
  for (const int64_t axis : order) {
    if (auto wrong = axis_out_of_range(input, axis, "permute")) {
      return *std::move(wrong);
    }
    const size_t place = *input.axis(axis);
    if (used[place]) {
      return Wrong{ProblemKind::axis, format("axis {} appears twice in the permutation", axis)};
    }
    used[place] = true;
    dims.push_back(input.dims()[place]);
  }
  return Shape::of(std::move(dims));
}

Shaped moved(const Shape& input, int64_t from, int64_t to)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  for (const int64_t axis : {from, to}) {
    if (auto wrong = axis_out_of_range(input, axis, "moving an axis")) {
      return *std::move(wrong);
    }
  }
  const size_t place = *input.axis(from);
  return input.without(place).inserted(*input.axis(to), input.dims()[place]);
}

Shaped with_new_axis(const Shape& input, int64_t axis)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  const auto rank = static_cast<int64_t>(*input.rank());
  if (axis < -rank - 1 || axis > rank) {
    return Wrong{ProblemKind::axis,
                 format("a new axis {} is out of range for {}", axis, input.text())};
  }
  return input.inserted(static_cast<size_t>(axis < 0 ? axis + rank + 1 : axis), Dim::constant(1));
}

Shaped squeezed(const Shape& input, int64_t axis)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  if (auto wrong = axis_out_of_range(input, axis, "squeeze")) {
    return *std::move(wrong);
  }
  const Dim size = input.at(axis);
  if (size.is(1)) {
    return input.without(*input.axis(axis));
  }
  return size.is_unknown() ? Shape::top() : input;
}

Shape squeezed(const Shape& input)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  std::vector<Dim> dims;
  for (const Dim& dim : input.dims()) {
    if (dim.is_unknown()) {
      return Shape::top();
    }
    // A symbol stands for a size that is 1 only by accident.
    if (!dim.is(1)) {
      dims.push_back(dim);
    }
  }
  return Shape::of(std::move(dims));
}

} // namespace faultline::program
