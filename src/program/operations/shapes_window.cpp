#include "base/format.hpp"
#include "program/operations/shapes.hpp"

#include <cmath>

namespace faultline::program {

Dim window_size(const Dim& n, const Window& window)
{
  if (window.stride <= 0) {
    return Dim::top();
  }
  if (window.same) {
    return n.ceil_div(window.stride);
  }
  const int64_t reach = window.dilation * (window.kernel - 1) + 1;
  const Dim room = n.plus(Dim::constant(window.before + window.after - reach));
  if (!window.round_up) {
    return room.floor_div(window.stride).plus(Dim::constant(1));
  }
  const Dim count = room.ceil_div(window.stride).plus(Dim::constant(1));
  // A last window that would start in the padding behind is dropped.
  const auto size = n.constant();
  const auto windows = count.constant();
  if (size && windows && (*windows - 1) * window.stride >= *size + window.before) {
    return Dim::constant(*windows - 1);
  }
  return size ? count : window.stride == 1 ? count : Dim::top();
}

Dim transposed_size(const Dim& n, const Window& window, int64_t extra)
{
  const int64_t rest =
      window.dilation * (window.kernel - 1) + extra + 1 - window.before - window.after;
  return n.minus(Dim::constant(1)).times(Dim::constant(window.stride)).plus(Dim::constant(rest));
}

static Wrong empty_result(const Shape& input, size_t axis, const Window& window, const Dim& size)
{
  return {ProblemKind::empty_result,
          format("axis {} of {} is too small for a window of {}: the result would have size {}",
                 axis,
                 input.text(),
                 window.dilation * (window.kernel - 1) + 1,
                 size.text())};
}

// Each of `count` axes from `first` on gets the size that `size_of` gives it, its number among them
// and its window. Windows that are not known leave it open; no window may leave nothing of an axis,
// unless it `may_be_empty`.
template <typename SizeOf, typename MayBeEmpty>
static Shaped slide_axes(const Shape& input,
                         size_t first,
                         size_t count,
                         const std::optional<std::vector<Window>>& windows,
                         SizeOf size_of,
                         MayBeEmpty may_be_empty)
{
  if (!input.has_rank() || first + count > *input.rank()) {
    return Shape::top();
  }
  std::vector<Dim> dims = input.dims();
  for (size_t i = 0; i < count; ++i) {
    Dim& dim = dims[first + i];
    if (!windows || i >= windows->size()) {
      dim = Dim::top();
      continue;
    }
    const Dim size = size_of(dim, i, (*windows)[i]);
    if (const auto known = size.constant(); known && *known <= 0 && !may_be_empty(dim)) {
      return empty_result(input, first + i, (*windows)[i], size);
    }
    dim = size;
  }
  return Shape::of(std::move(dims));
}

Shaped slide(const Shape& input,
             size_t first,
             size_t count,
             const std::optional<std::vector<Window>>& windows)
{
  return slide_axes(
      input,
      first,
      count,
      windows,
      [](const Dim& dim, size_t, const Window& window) { return window_size(dim, window); },
      [](const Dim& dim) { return dim.is(0); });
}

Shaped slide_transposed(const Shape& input,
                        size_t first,
                        size_t count,
                        const std::optional<std::vector<Window>>& windows,
                        const std::vector<int64_t>& extra)
{
  return slide_axes(
      input,
      first,
      count,
      windows,
      [&extra](const Dim& dim, size_t i, const Window& window) {
        return transposed_size(dim, window, i < extra.size() ? extra[i] : 0);
      },
      [](const Dim&) { return false; });
}

Shape upsampled(const Shape& input, size_t first, std::span<const double> factors)
{
  if (!input.has_rank() || first + factors.size() > *input.rank()) {
    return Shape::top();
  }
  std::vector<Dim> dims = input.dims();
  for (size_t i = 0; i < factors.size(); ++i) {
    Dim& dim = dims[first + i];
    if (!fits_integer(factors[i])) {
      dim = Dim::top();
    } else if (factors[i] == std::floor(factors[i])) {
      dim = dim.times(Dim::constant(static_cast<int64_t>(factors[i])));
    } else if (const auto size = dim.constant()) {
      const double grown = std::floor(static_cast<double>(*size) * factors[i]);
      dim = fits_integer(grown) ? Dim::constant(static_cast<int64_t>(grown)) : Dim::top();
    } else {
      dim = Dim::top();
    }
  }
  return Shape::of(std::move(dims));
}

Shaped
padded(const Shape& input, size_t first, std::span<const std::pair<int64_t, int64_t>> amounts)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  if (first + amounts.size() > *input.rank()) {
    return Wrong{
        ProblemKind::rank,
        format("{} axes are padded, but the input is {}", first + amounts.size(), input.text())};
  }
  std::vector<Dim> dims = input.dims();
  for (size_t i = 0; i < amounts.size(); ++i) {
    Dim& dim = dims[first + i];
    const Dim size = dim.plus(Dim::constant(amounts[i].first + amounts[i].second));
    if (const auto known = size.constant(); known && *known <= 0 && !dim.is(0)) {
      return Wrong{ProblemKind::empty_result,
                   format("axis {} of {} would have size {} after cropping",
                          first + i,
                          input.text(),
                          size.text())};
    }
    dim = size;
  }
  return Shape::of(std::move(dims));
}

} // namespace faultline::program
