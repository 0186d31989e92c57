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

// The axes of the result, as they come.
struct Layout {
  std::vector<Dim> dims;
  Shape group = Shape::scalar(); // of all arrays of indices together
  std::optional<size_t> group_at;
  bool group_split = false; // something stands between two arrays
  bool group_open = false;  // the last part was an array

  void keep(const Dim& dim);
  void add_to_group(const Shape& shape);
  Shape shape() const;
};

void Layout::keep(const Dim& dim)
{
  dims.push_back(dim);
  group_open = false;
}

void Layout::add_to_group(const Shape& shape)
{
  if (group_at && !group_open) {
    group_split = true;
  }
  if (!group_at) {
    group_at = dims.size();
  }
  group_open = true;
  group = broadcast(group, shape).shape;
}

Shape Layout::shape() const
{
  if (!group_at) {
    return Shape::of(dims);
  }
  const size_t place = group_split ? 0 : *group_at;
  const auto cut = dims.begin() + static_cast<std::ptrdiff_t>(place);
  return Shape::of({dims.begin(), cut}).plus(group).plus(Shape::of({cut, dims.end()}));
}

// What an index asks for as a whole.
struct Demand {
  size_t axes = 0;
  bool has_ellipsis = false;
  bool has_array = false;
};

// Nothing if that is not known.
std::optional<Demand> demand_of(std::span<const Index> parts)
{
  Demand demand;
  for (const Index& part : parts) {
    switch (part.kind) {
    case Index::Kind::unknown:
      return std::nullopt;
    case Index::Kind::mask:
      if (!part.shape.has_rank()) {
        return std::nullopt;
      }
      demand.axes += *part.shape.rank();
      demand.has_array = true;
      break;
    case Index::Kind::array:
      demand.has_array = true;
      ++demand.axes;
      break;
    case Index::Kind::integer:
    case Index::Kind::slice:
      ++demand.axes;
      break;
    case Index::Kind::ellipsis:
      if (demand.has_ellipsis) {
        return std::nullopt;
      }
      demand.has_ellipsis = true;
      break;
    case Index::Kind::new_axis:
      break;
    }
  }
  return demand;
}

// A number or mask that does not fit the axes from `axis` on.
std::optional<Wrong> misfit(const Shape& input, size_t axis, const Index& part)
{
  if (part.kind == Index::Kind::integer) {
    const auto at = part.at.constant();
    const auto size = input.dims()[axis].constant();
    if (at && size && (*at >= *size || *at < -*size)) {
      return Wrong{ProblemKind::index,
                   format("index {} is out of range for axis {} of {}", *at, axis, input.text())};
    }
  } else if (part.kind == Index::Kind::mask) {
    for (const Dim& dim : part.shape.dims()) {
      if (dim.compare(input.dims()[axis++]) == Dim::Comparison::different) {
        return Wrong{ProblemKind::index,
                     format("a mask of shape {} does not fit {}", part.shape.text(), input.text())};
      }
    }
  }
  return std::nullopt;
}

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
  const std::optional<Demand> demand = demand_of(parts);
  if (!demand) {
    return Shape::top();
  }
  const size_t rank = *input.rank();
  if (demand->axes > rank) {
    return Wrong{ProblemKind::index,
                 format("{} indices for {}, which has {} axes", demand->axes, input.text(), rank)};
  }
  Layout layout;
  size_t axis = 0;
  for (const Index& part : parts) {
    if (const std::optional<Wrong> wrong = misfit(input, axis, part)) {
      return *wrong;
    }
    switch (part.kind) {
    case Index::Kind::integer:
      if (demand->has_array) {
        layout.add_to_group(Shape::scalar());
      }
      ++axis;
      break;
    case Index::Kind::slice:
      layout.keep(slice_size(input.dims()[axis], part));
      ++axis;
      break;
    case Index::Kind::new_axis:
      layout.keep(Dim::constant(1));
      break;
    case Index::Kind::ellipsis:
      for (size_t skipped = rank - demand->axes; skipped > 0; --skipped) {
        layout.keep(input.dims()[axis++]);
      }
      layout.group_open = false;
      break;
    case Index::Kind::mask:
      axis += *part.shape.rank();
      layout.add_to_group(Shape::of({part.at}));
      break;
    case Index::Kind::array:
      layout.add_to_group(part.shape);
      ++axis;
      break;
    case Index::Kind::unknown:
      break;
    }
  }
  while (!demand->has_ellipsis && axis < rank) {
    layout.keep(input.dims()[axis++]);
  }
  return layout.shape();
}

} // namespace faultline::program
