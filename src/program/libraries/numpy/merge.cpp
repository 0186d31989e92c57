// NumPy: several arrays into one, one into several, and parts of arrays.

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

static constexpr DType k_int64 = DType::Kind::int64;

// The arrays of a list; empty if it is not known how many there are.
static std::vector<Tensor*> parts_of(Machine& m, const Call& call, Ref value)
{
  std::vector<Tensor*> parts;
  const auto* list = as<Sequence>(value);
  if (list == nullptr || list->open) {
    return parts;
  }
  for (const Ref item : list->items) {
    Tensor& part = to_array(m, item);
    if (part.library == Library::torch && part.requires_grad == Truth::yes) {
      m.problem(ProblemKind::foreign_tensor,
                call.span,
                format("`{}` gets a torch tensor that requires a gradient", call.name),
                &call)
          .help = "call `.detach()` on it first";
    }
    parts.push_back(&part);
  }
  return parts;
}

// What all parts have in common.
static Tensor* merged(Machine& m, Call& call, const std::vector<Tensor*>& parts, Shape shape)
{
  DType dtype = parts.front()->dtype;
  Interval interval = parts.front()->interval;
  Encoding encoding = parts.front()->encoding;
  const DataSource* source = parts.front()->source;
  int64_t classes = parts.front()->classes;
  for (const Tensor* part : parts) {
    dtype = numpy_promoted(dtype, part->dtype);
    interval = interval.is_known() && part->interval.is_known() ? joined(interval, part->interval)
                                                                : Interval::top();
    encoding = encoding == part->encoding ? encoding : Encoding::unknown;
    source = source == part->source ? source : nullptr;
    classes = classes == part->classes ? classes : 0;
  }
  Tensor* const made = array(m, call, std::move(shape), dtype, interval);
  made->encoding = encoding;
  made->source = source;
  made->classes = classes;
  return made;
}

static std::vector<Shape> shapes_of(const std::vector<Tensor*>& parts)
{
  std::vector<Shape> shapes;
  for (const Tensor* part : parts) {
    shapes.push_back(part->shape);
  }
  return shapes;
}

// Arrays of a list of which only one item is known: all have its shape but for the merged axis.
static Ref from_many(Machine& m, Call& call, Ref list, std::optional<int64_t> axis, bool new_axis)
{
  const auto* items = as<Sequence>(list);
  if (items == nullptr) {
    // An array is a list of its rows.
    if (auto* whole = as<Tensor>(list); whole != nullptr && axis && whole->shape.has_rank()) {
      if (new_axis && *axis == 0) {
        return array_like(m, call, *whole);
      }
      if (!new_axis && *axis == 0 && *whole->shape.rank() >= 2) {
        const Dim rows = whole->shape.at(0).times(whole->shape.at(1));
        return rearranged(m, call, *whole, whole->shape.without(0).with(0, rows));
      }
    }
    return array(m, call, Shape::top());
  }
  const Ref one = join_all(m, expand(m, list, call.span).all());
  const Tensor& part = to_array(m, one);
  if (!axis || !part.shape.has_rank()) {
    return rearranged(m, call, part, Shape::top());
  }
  const auto rank = static_cast<int64_t>(*part.shape.rank()) + (new_axis ? 1 : 0);
  const int64_t place = *axis < 0 ? *axis + rank : *axis;
  if (place < 0 || place >= rank) {
    return rearranged(m, call, part, Shape::top());
  }
  return rearranged(m,
                    call,
                    part,
                    new_axis ? part.shape.inserted(static_cast<size_t>(place), Dim::top())
                             : part.shape.with(place, Dim::top()));
}

static Ref concatenate_along(Machine& m, Call& call, Ref list, std::optional<int64_t> axis)
{
  const std::vector<Tensor*> parts = parts_of(m, call, list);
  if (parts.empty()) {
    return from_many(m, call, list, axis, false);
  }
  Shape shape = Shape::top();
  if (axis) {
    shape = settle(m, call, concatenated(shapes_of(parts), *axis), call.span);
  }
  return merged(m, call, parts, shape);
}

static Ref concatenate(Machine& m, Call& call)
{
  const Ref list = take(m, call, "arrays");
  const Ref axis = take(m, call, "axis");
  if (m.is_none(axis)) {
    const std::vector<Tensor*> parts = parts_of(m, call, list);
    Dim total = Dim::constant(0);
    for (const Tensor* part : parts) {
      total = total.plus(part->shape.elements());
    }
    return parts.empty() ? array(m, call, Shape::of({Dim::top()}))
                         : merged(m, call, parts, Shape::of({total}));
  }
  return concatenate_along(m, call, list, m.to_int(axis));
}

static Ref stack_along(Machine& m, Call& call, Ref list, std::optional<int64_t> axis)
{
  const std::vector<Tensor*> parts = parts_of(m, call, list);
  if (parts.empty()) {
    return from_many(m, call, list, axis, true);
  }
  Shape shape = Shape::top();
  if (axis) {
    shape = settle(m, call, stacked(shapes_of(parts), *axis), call.span);
  }
  return merged(m, call, parts, shape);
}

static Ref stack(Machine& m, Call& call)
{
  return stack_along(m, call, take(m, call, "arrays"), m.to_int(call.arg("axis")));
}

// vstack and its kin first give every part at least `rank` axes.
static Ref stack_raised(Machine& m, Call& call, size_t rank, int64_t axis, bool columns)
{
  const Ref list = take(m, call, "tup");
  const std::vector<Tensor*> parts = parts_of(m, call, list);
  const auto raised = [&](Shape shape) {
    if (!shape.has_rank()) {
      return shape;
    }
    if (columns && *shape.rank() == 1) {
      return shape.inserted(1, Dim::constant(1));
    }
    while (*shape.rank() < rank) {
      shape = shape.inserted(*shape.rank() == 2 ? 2 : 0, Dim::constant(1));
    }
    return shape;
  };
  if (parts.empty()) {
    const Ref one = join_all(m, expand(m, list, call.span).all());
    if (as<Sequence>(list) == nullptr || one == nullptr) {
      return array(m, call, Shape::top());
    }
    const Tensor& part = to_array(m, one);
    const Shape shape = raised(part.shape);
    return rearranged(m, call, part, shape.has_rank() ? shape.with(axis, Dim::top()) : shape);
  }
  std::vector<Shape> shapes = shapes_of(parts);
  std::transform(shapes.begin(), shapes.end(), shapes.begin(), raised);
  return merged(m, call, parts, settle(m, call, concatenated(shapes, axis), call.span));
}

static Ref vstack(Machine& m, Call& call)
{
  return stack_raised(m, call, 2, 0, false);
}
static Ref dstack(Machine& m, Call& call)
{
  return stack_raised(m, call, 3, 2, false);
}
static Ref column_stack(Machine& m, Call& call)
{
  return stack_raised(m, call, 2, 1, true);
}

static Ref hstack(Machine& m, Call& call)
{
  const Ref list = take(m, call, "tup");
  const std::vector<Tensor*> parts = parts_of(m, call, list);
  std::optional<size_t> rank;
  if (!parts.empty()) {
    rank = parts.front()->shape.rank();
  } else if (const Ref one = join_all(m, expand(m, list, call.span).all())) {
    rank = to_array(m, one).shape.rank();
  }
  if (!rank) {
    return array(m, call, Shape::top());
  }
  return *rank <= 1 ? stack_raised(m, call, 1, 0, false) : concatenate_along(m, call, list, 1);
}

// Without an axis everything is flattened first, a common surprise.
static Ref append(Machine& m, Call& call)
{
  Tensor& first = operand(m, call, "arr");
  Tensor& second = operand(m, call, "values");
  const Ref axis = take(m, call, "axis");
  if (m.is_none(axis)) {
    const Dim total = first.shape.elements().plus(second.shape.elements());
    return merged(m, call, {&first, &second}, Shape::of({total}));
  }
  const auto known = m.to_int(axis);
  const std::vector<Shape> shapes = {first.shape, second.shape};
  const Shape shape =
      known ? settle(m, call, concatenated(shapes, *known), call.span) : Shape::top();
  return merged(m, call, {&first, &second}, shape);
}

static Ref split(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "ary");
  const Ref how = take(m, call, "indices_or_sections");
  auto axis = m.to_int(call.arg("axis"));
  if (call.name == "numpy.hsplit") {
    axis = input.shape.rank() == 1 ? 0 : 1;
  }
  const auto many = [&] { return m.open_list(rearranged(m, call, input, Shape::top())); };
  if (!axis || !input.shape.has_rank() || !input.shape.axis(*axis)) {
    return many();
  }
  const Dim size = input.shape.at(*axis);
  std::vector<Dim> sizes;
  if (const auto count = m.to_int(how); count && *count > 0 && *count <= 4096) {
    const auto total = size.constant();
    if (call.name != "numpy.array_split" && total && *total % *count != 0) {
      m.problem(
           ProblemKind::reshape,
           span_of(call, "indices_or_sections"),
           format("axis {} of size {} cannot be split into {} equal parts", *axis, *total, *count),
           &call)
          .help = "`np.array_split` accepts parts of unequal size";
      return many();
    }
    for (int64_t i = 0; i < *count; ++i) {
      sizes.push_back(total ? Dim::constant(*total / *count + (i < *total % *count ? 1 : 0))
                            : size.floor_div(*count));
    }
  } else if (const auto* places = as<Sequence>(how); places != nullptr && !places->open) {
    Dim before = Dim::constant(0);
    for (const Ref place : places->items) {
      const Dim at = m.to_dim(place);
      const bool negative = at.constant() && *at.constant() < 0;
      sizes.push_back(negative ? Dim::top() : at.minus(before));
      before = negative ? Dim::top() : at;
    }
    sizes.push_back(size.minus(before));
  } else {
    return many();
  }
  std::vector<Ref> parts;
  for (const Shape& shape : split_into(input.shape, *axis, sizes)) {
    parts.push_back(rearranged(m, call, input, shape));
  }
  return m.list(std::move(parts));
}

static Ref take_items(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Tensor& index = operand(m, call, "indices");
  const Axes axes = axes_argument(m, call.arg("axis"));
  Shape shape = Shape::top();
  if (axes.known && !axes.list) {
    shape = index.shape;
  } else if (axes.known) {
    shape = settle(m, call, taken(input.shape, axes.list->front(), index.shape), call.span);
  }
  return rearranged(m, call, input, shape);
}

static Ref take_along(Machine& m, Call& call)
{
  const Tensor& index = operand(m, call, "indices");
  return rearranged(m, call, operand(m, call, "arr"), index.shape);
}

static Ref remove(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "arr");
  const Ref what = take(m, call, "obj");
  const Axes axes = axes_argument(m, call.arg("axis"));
  if (!axes.known) {
    return rearranged(m, call, input, Shape::top());
  }
  Dim count = Dim::top();
  if (is_number(what)) {
    count = Dim::constant(1);
  } else if (const auto* list = as<Sequence>(what)) {
    count = list->length();
  }
  if (!axes.list) {
    return rearranged(m, call, input, Shape::of({input.shape.elements().minus(count)}));
  }
  const int64_t axis = axes.list->front();
  return rearranged(m, call, input, input.shape.with(axis, input.shape.at(axis).minus(count)));
}

static Ref insert(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "arr");
  const Tensor& values = operand(m, call, "values");
  const Axes axes = axes_argument(m, call.arg("axis"));
  const bool one = is_number(take(m, call, "obj"));
  Shape shape = Shape::top();
  if (axes.known && !axes.list) {
    shape = Shape::of({one ? input.shape.elements().plus(values.shape.elements()) : Dim::top()});
  } else if (axes.known) {
    const int64_t axis = axes.list->front();
    const bool single = one && values.shape.has_rank() && *values.shape.rank() < 2;
    shape =
        input.shape.with(axis, single ? input.shape.at(axis).plus(Dim::constant(1)) : Dim::top());
  }
  Tensor* const made = rearranged(m, call, input, shape);
  made->interval = made->interval.is_known() && values.interval.is_known()
                       ? joined(made->interval, values.interval)
                       : Interval::top();
  return made;
}

static Ref where(Machine& m, Call& call)
{
  const Tensor& condition = operand(m, call, "condition");
  if (call.given("x") == nullptr) {
    // Indices of what holds, one array an axis.
    const Dim found = m.fresh_symbol();
    const size_t rank = condition.shape.rank().value_or(1);
    std::vector<Ref> places;
    for (size_t i = 0; i < rank; ++i) {
      places.push_back(
          array(m, call, Shape::of({found}), k_int64, Interval::of(0, Interval::k_inf)));
    }
    return m.tuple(std::move(places));
  }
  const Tensor& x = operand(m, call, "x");
  const Tensor& y = operand(m, call, "y");
  const Combined both = combined(x.shape, y.shape);
  const Shape values = settle(m, call, both.result, call.span);
  const Shape shape = settle(m, call, combined(condition.shape, values).result, call.span);
  Tensor* const made =
      array(m, call, shape, arithmetic_dtype(take(m, call, "x"), take(m, call, "y")));
  if (x.interval.is_known() && y.interval.is_known()) {
    made->interval = joined(x.interval, y.interval);
  }
  return made;
}

static Ref nonzero(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Dim found = m.fresh_symbol();
  std::vector<Ref> places;
  for (size_t i = 0; i < input.shape.rank().value_or(1); ++i) {
    places.push_back(array(m, call, Shape::of({found}), k_int64, Interval::of(0, Interval::k_inf)));
  }
  return m.tuple(std::move(places));
}

static Ref positions(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const auto rank = input.shape.rank();
  const Dim width = rank ? Dim::constant(static_cast<int64_t>(*rank)) : Dim::top();
  const bool flat = call.name.ends_with("flatnonzero");
  return array(m,
               call,
               flat ? Shape::of({m.fresh_symbol()}) : Shape::of({m.fresh_symbol(), width}),
               k_int64,
               Interval::of(0, Interval::k_inf));
}

// Labels of a known data set have as many values as it has classes.
static Ref unique(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "ar");
  const bool labels = input.encoding == Encoding::class_index && input.classes > 0;
  const Dim found = labels ? Dim::constant(input.classes) : m.fresh_symbol();
  const Axes axes = axes_argument(m, call.arg("axis"));
  Shape shape = Shape::of({found});
  if (!axes.known) {
    shape = Shape::top();
  } else if (axes.list) {
    shape = input.shape.with(axes.list->front(), found);
  }
  std::vector<Ref> results = {rearranged(m, call, input, shape)};
  const Dim all = input.shape.elements();
  const struct {
    std::string_view parameter;
    Dim length;
  } k_extras[] = {{"return_index", found}, {"return_inverse", all}, {"return_counts", found}};
  for (const auto& extra : k_extras) {
    if (m.to_bool(call.arg(extra.parameter)) == true) {
      results.push_back(
          array(m, call, Shape::of({extra.length}), k_int64, Interval::of(0, Interval::k_inf)));
    }
  }
  return results.size() == 1 ? results.front() : m.tuple(std::move(results));
}

static constexpr Api k_rows[] = {
    {"numpy.concatenate",
     "arrays, axis=0, out=None, dtype=None",
     Role::function,
     "concat",
     k_merging,
     concatenate},
    {"numpy.concat",
     "arrays, axis=0, out=None, dtype=None",
     Role::function,
     "concat",
     k_merging,
     concatenate},
    {"numpy.stack", "arrays, axis=0, out=None", Role::function, "stack", k_merging, stack},
    {"numpy.vstack", "tup", Role::function, "concat", k_merging, vstack},
    {"numpy.row_stack", "tup", Role::function, "concat", k_merging, vstack},
    {"numpy.hstack", "tup", Role::function, "concat", k_merging, hstack},
    {"numpy.dstack", "tup", Role::function, "concat", k_merging, dstack},
    {"numpy.column_stack", "tup", Role::function, "concat", k_merging, column_stack},
    {"numpy.append", "arr, values, axis=None", Role::function, "concat", k_merging, append},
    {"numpy.block", "arrays", Role::function},
    {"numpy.split", "ary, indices_or_sections, axis=0", Role::function, "split", 0, split},
    {"numpy.array_split", "ary, indices_or_sections, axis=0", Role::function, "split", 0, split},
    {"numpy.vsplit", "ary, indices_or_sections, axis=0", Role::function, "split", 0, split},
    {"numpy.hsplit", "ary, indices_or_sections, axis=1", Role::function, "split", 0, split},
    {"numpy.take",
     "a, indices, axis=None, out=None, mode='raise'",
     Role::function,
     "gather",
     0,
     take_items},
    {"numpy.ndarray.take",
     "indices, axis=None, out=None, mode='raise'",
     Role::method,
     "gather",
     0,
     take_items},
    {"numpy.take_along_axis", "arr, indices, axis=-1", Role::function, "gather", 0, take_along},
    {"numpy.delete", "arr, obj, axis=None", Role::function, {}, 0, remove},
    {"numpy.insert", "arr, obj, values, axis=None", Role::function, {}, 0, insert},
    {"numpy.where", "condition, x=None, y=None", Role::function, "where", 0, where},
    {"numpy.nonzero", "a", Role::function, {}, 0, nonzero},
    {"numpy.ndarray.nonzero", "", Role::method, {}, 0, nonzero},
    {"numpy.argwhere", "a", Role::function, {}, 0, positions},
    {"numpy.flatnonzero", "a", Role::function, {}, 0, positions},
    {"numpy.unique",
     "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, **kwargs",
     Role::function,
     {},
     0,
     unique},
    {"numpy.extract", "condition, arr", Role::function},
    {"numpy.select", "condlist, choicelist, default=0", Role::function},
    {"numpy.choose", "a, choices, **kwargs", Role::function},
};

std::span<const Api> numpy_merge()
{
  return k_rows;
}

} // namespace faultline::program
