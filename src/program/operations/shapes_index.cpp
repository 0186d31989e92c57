// Indexing as NumPy defines it and torch and TensorFlow copy it: integers drop an axis, slices keep
// it, arrays of indices replace theirs by the shape of the array, and several arrays broadcast into
// one group that stands where the first was if they are neighbours, else in front.

#include "base/format.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>

namespace faultline::program {

namespace {

// The bound of a slice as a distance from the start, clipped to [0, n].
Dim bound(const Dim& n, const Dim& written)
{
  const auto offset = written.constant();
  if (!offset) {
    return Dim::top();
  }
  const auto size = n.constant();
  if (size) {
    const int64_t from_start = *offset < 0 ? *offset + *size : *offset;
    return Dim::constant(std::clamp<int64_t>(from_start, 0, *size));
  }
  // x[1:] and x[:-1] of a symbolic size: long enough, as else the program means something else.
  return *offset < 0 ? n.plus(written) : written;
}

struct Layout {
  std::vector<Dim> dims;
  Shape group = Shape::scalar(); // of all arrays of indices together
  std::optional<size_t> group_at;
  bool group_split = false; // something stands between two arrays
  bool group_open = false;  // the last part was an array
  bool has_array = false;
};

} // namespace

Dim slice_size(const Dim& n, const Index& slice)
{
  int64_t step = 1;
  if (slice.step) {
    const auto known = slice.step->constant();
    if (!known || *known == 0) {
      return Dim::top();
    }
    step = *known;
  }
  if (!slice.from && !slice.to) {
    return n.ceil_div(std::abs(step));
  }
  if (step < 0) {
    return Dim::top();
  }
  const Dim from = slice.from ? bound(n, *slice.from) : Dim::constant(0);
  const Dim to = slice.to ? bound(n, *slice.to) : n;
  if (!n.constant()) {
    // An upper bound counted from the start may lie behind the end.
    const bool to_is_absolute = slice.to && !(slice.to->constant().value_or(0) < 0);
    const bool from_is_relative = slice.from && slice.from->constant().value_or(0) < 0;
    if (to_is_absolute || (from_is_relative && slice.to)) {
      return Dim::top();
    }
    if (from_is_relative) {
      return Dim::constant(-*slice.from->constant()).ceil_div(step);
    }
  }
  const Dim size = to.minus(from).ceil_div(step);
  const auto known = size.constant();
  return known && *known < 0 ? Dim::constant(0) : size;
}

Shaped indexed(const Shape& input, std::span<const Index> parts)
{
  if (!input.has_rank()) {
    return Shape::top();
  }
  size_t consumed = 0;
  bool has_ellipsis = false;
  bool has_array = false;
  for (const Index& part : parts) {
    switch (part.kind) {
    case Index::Kind::unknown:
      return Shape::top();
    case Index::Kind::mask:
      if (!part.shape.has_rank()) {
        return Shape::top();
      }
      consumed += *part.shape.rank();
      has_array = true;
      break;
    case Index::Kind::array:
      has_array = true;
      ++consumed;
      break;
    case Index::Kind::integer:
    case Index::Kind::slice:
      ++consumed;
      break;
    case Index::Kind::ellipsis:
      has_ellipsis = true;
      break;
    case Index::Kind::new_axis:
      break;
    }
  }
  const size_t rank = *input.rank();
  if (consumed > rank) {
    return Wrong{ProblemKind::index,
                 format("{} indices for {}, which has {} axes", consumed, input.text(), rank)};
  }

  Layout layout;
  size_t axis = 0;
  const auto keep_axis = [&](const Dim& dim) {
    layout.dims.push_back(dim);
    layout.group_open = false;
  };
  const auto add_to_group = [&](const Shape& shape) {
    if (layout.group_at && !layout.group_open) {
      layout.group_split = true;
    }
    if (!layout.group_at) {
      layout.group_at = layout.dims.size();
    }
    layout.group_open = true;
    layout.group = broadcast(layout.group, shape).shape;
  };
  for (const Index& part : parts) {
    switch (part.kind) {
    case Index::Kind::integer: {
      const auto at = part.at.constant();
      const auto size = input.dims()[axis].constant();
      if (at && size && (*at >= *size || *at < -*size)) {
        return Wrong{ProblemKind::index,
                     format("index {} is out of range for axis {} of {}", *at, axis, input.text())};
      }
      if (has_array) {
        add_to_group(Shape::scalar());
      }
      ++axis;
      break;
    }
    case Index::Kind::slice:
      keep_axis(slice_size(input.dims()[axis], part));
      ++axis;
      break;
    case Index::Kind::new_axis:
      keep_axis(Dim::constant(1));
      break;
    case Index::Kind::ellipsis:
      for (size_t skipped = rank - consumed; skipped > 0; --skipped) {
        keep_axis(input.dims()[axis++]);
      }
      layout.group_open = false;
      break;
    case Index::Kind::mask:
      for (const Dim& dim : part.shape.dims()) {
        if (dim.compare(input.dims()[axis]) == Dim::Comparison::different) {
          return Wrong{
              ProblemKind::index,
              format("a mask of shape {} does not fit {}", part.shape.text(), input.text())};
        }
        ++axis;
      }
      add_to_group(Shape::of({part.at}));
      break;
    case Index::Kind::array:
      add_to_group(part.shape);
      ++axis;
      break;
    case Index::Kind::unknown:
      break;
    }
  }
  if (!has_ellipsis) {
    while (axis < rank) {
      layout.dims.push_back(input.dims()[axis++]);
    }
  }
  if (!has_array) {
    return Shape::of(std::move(layout.dims));
  }
  const size_t place = layout.group_split ? 0 : *layout.group_at;
  const auto cut = layout.dims.begin() + static_cast<std::ptrdiff_t>(place);
  return Shape::of({layout.dims.begin(), cut})
      .plus(layout.group)
      .plus(Shape::of({cut, layout.dims.end()}));
}

} // namespace faultline::program
