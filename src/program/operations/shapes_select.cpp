#include "base/format.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>

namespace faultline::program {

std::optional<Wrong> axis_out_of_range(const Shape& input, int64_t axis, std::string_view what)
{
  // A scalar accepts 0 and -1 in all frameworks.
  if (!input.has_rank() || input.axis(axis) || (*input.rank() == 0 && (axis == 0 || axis == -1))) {
    return std::nullopt;
  }
  return Wrong{ProblemKind::axis,
               format("axis {} of {} is out of range for {}", axis, what, input.text())};
}

Shaped reduced(const Shape& input, const std::optional<std::vector<int64_t>>& axes, bool keep)
{
  if (!input.has_rank()) {
    return axes || keep ? Shape::top() : Shape::scalar();
  }
  const size_t rank = *input.rank();
  std::vector<bool> gone(rank, !axes);
  if (axes) {
    for (const int64_t axis : *axes) {
      if (auto wrong = axis_out_of_range(input, axis, "a reduction")) {
        return *std::move(wrong);
      }
      if (const auto place = input.axis(axis)) {
        gone[*place] = true;
      }
    }
  }
  std::vector<Dim> dims;
  for (size_t i = 0; i < rank; ++i) {
    if (!gone[i]) {
      dims.push_back(input.dims()[i]);
    } else if (keep) {
      dims.push_back(Dim::constant(1));
    }
  }
  return Shape::of(std::move(dims));
}

Shaped expanded(const Shape& input, const std::vector<Dim>& sizes)
{
  std::vector<Dim> dims = sizes;
  if (!input.has_rank()) {
    std::ranges::replace_if(
        dims, [](const Dim& dim) { return dim.is(-1); }, Dim::top());
    return Shape::of(std::move(dims));
  }
  const Wrong wrong{ProblemKind::expand,
                    format("{} cannot be expanded to {}: only axes of size 1 grow",
                           input.text(),
                           Shape::of(sizes).text())};
  const size_t rank = *input.rank();
  if (sizes.size() < rank) {
    return wrong;
  }
  const size_t lead = sizes.size() - rank;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i < lead) {
      if (dims[i].is(-1)) {
        return wrong;
      }
      continue;
    }
    const Dim& own = input.dims()[i - lead];
    if (dims[i].is(-1)) {
      dims[i] = own;
    } else if (!own.is(1)) {
      if (own.constant() && own.compare(dims[i]) == Dim::Comparison::different) {
        return wrong;
      }
      dims[i] = better_known(dims[i], own);
    }
  }
  return Shape::of(std::move(dims));
}

Shaped broadcast_to(const Shape& input, const Shape& target)
{
  return target.has_rank() ? expanded(input, target.dims()) : Shaped(Shape::top());
}

Shape tiled(const Shape& input, const std::vector<Dim>& counts)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  const size_t rank = std::max(*input.rank(), counts.size());
  std::vector<Dim> dims(rank, Dim::constant(1));
  for (size_t back = 1; back <= rank; ++back) {
    Dim& dim = dims[rank - back];
    if (back <= *input.rank()) {
      dim = input.at(-static_cast<int64_t>(back));
    }
    if (back <= counts.size()) {
      dim = dim.times(counts[counts.size() - back]);
    }
  }
  return Shape::of(std::move(dims));
}

Shaped gathered(const Shape& input, int64_t axis, const Shape& index)
{
  if (auto wrong = axis_out_of_range(input, axis, "gather")) {
    return *std::move(wrong);
  }
  if (!input.has_rank() || !index.has_rank()) {
    return index;
  }
  if (*input.rank() != *index.rank() && *input.rank() > 0 && *index.rank() > 0) {
    return Wrong{ProblemKind::gather,
                 format("gather needs an index of the same rank: input {}, index {}",
                        input.text(),
                        index.text())};
  }
  for (size_t i = 0; i < std::min(*input.rank(), *index.rank()); ++i) {
    const auto own = input.dims()[i].constant();
    const auto asked = index.dims()[i].constant();
    if (own && asked && *asked > *own && input.axis(axis) != i) {
      return Wrong{ProblemKind::gather,
                   format("gather along axis {}: index {} is larger than input {} on axis {}",
                          axis,
                          index.text(),
                          input.text(),
                          i)};
    }
  }
  return index;
}

Shaped taken(const Shape& input, int64_t axis, const Shape& index)
{
  if (auto wrong = axis_out_of_range(input, axis, "gather")) {
    return *std::move(wrong);
  }
  const auto place = input.axis(axis);
  if (!place || !index.has_rank()) {
    return Shape::top();
  }
  const auto& dims = input.dims();
  const auto cut = dims.begin() + static_cast<std::ptrdiff_t>(*place);
  return Shape::of({dims.begin(), cut}).plus(index).plus(Shape::of({cut + 1, dims.end()}));
}

std::vector<Shape> split_into(const Shape& input, int64_t axis, std::span<const Dim> sizes)
{
  std::vector<Shape> parts;
  parts.reserve(sizes.size());
  for (const Dim& size : sizes) {
    parts.push_back(input.with(axis, size));
  }
  return parts;
}

std::optional<std::vector<Dim>> split_sizes(const Dim& n, int64_t size)
{
  constexpr int64_t k_most_parts = 4096;
  const auto total = n.constant();
  if (!total || size <= 0 || *total / size > k_most_parts) {
    return std::nullopt;
  }
  std::vector<Dim> sizes;
  for (int64_t done = 0; done < *total; done += size) {
    sizes.push_back(Dim::constant(std::min(size, *total - done)));
  }
  return sizes;
}

std::optional<std::vector<Dim>> chunk_sizes(const Dim& n, int64_t count)
{
  constexpr int64_t k_most_parts = 4096;
  if (count <= 0 || count > k_most_parts) {
    return std::nullopt;
  }
  if (const auto total = n.constant()) {
    return split_sizes(n, std::max<int64_t>(1, (*total + count - 1) / count));
  }
  // A symbolic size is cut into equal parts if it is a multiple for sure.
  return std::vector<Dim>(static_cast<size_t>(count), n.floor_div(count));
}

} // namespace faultline::program
