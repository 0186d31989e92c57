// NumPy: the same numbers in another arrangement. Functions and methods share these.

#include "base/format.hpp"
#include "program/libraries/shared/arrays.hpp"
#include "program/names/tables.hpp"

#include <algorithm>

namespace faultline::program {

static Ref reshape(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  // A method takes the sizes one by one or as a tuple.
  std::optional<std::vector<Dim>> to;
  Span span = span_of(call, "shape");
  if (call.self == nullptr) {
    to = m.to_dims(call.arg(call.given("newshape") != nullptr ? "newshape" : "shape"));
  } else {
    const std::vector<Ref> sizes = positional(call);
    if (sizes.size() == 1) {
      to = m.to_dims(sizes.front());
    } else if (!sizes.empty()) {
      to.emplace();
      for (const Ref size : sizes) {
        to->push_back(m.to_dim(size));
      }
    }
    span = call.surplus.empty() ? call.span : call.surplus.front().span;
    if (call.surplus.size() > 1 && !call.surplus.back().span.empty()) {
      span.end = std::max(span.end, call.surplus.back().span.end);
    }
  }
  Tensor* const made = rearranged(
      m, call, input, to ? settle(m, call, reshaped(input.shape, *to), span) : Shape::top());
  return made;
}

static Ref expand_dims(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const auto axis = m.to_int(call.arg("axis"));
  const Shape shape =
      axis ? settle(m, call, with_new_axis(input.shape, *axis), span_of(call, "axis"))
           : Shape::top();
  return rearranged(m, call, input, shape);
}

static Ref squeeze(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Axes axes = axes_argument(m, call.arg("axis"));
  if (axes.known && !axes.list) {
    return rearranged(m, call, input, squeezed(input.shape));
  }
  if (!axes.known || axes.list->size() != 1) {
    return rearranged(m, call, input, Shape::top());
  }
  const int64_t axis = axes.list->front();
  const Dim size = input.shape.at(axis);
  if (size.constant() && !size.is(1)) {
    m.problem(ProblemKind::squeeze,
              span_of(call, "axis"),
              format("axis {} of {} has size {}, not 1", axis, input.shape.text(), size.text()),
              &call);
    return rearranged(m, call, input, Shape::top());
  }
  return rearranged(
      m, call, input, settle(m, call, squeezed(input.shape, axis), span_of(call, "axis")));
}

static std::optional<std::vector<int64_t>> known_axes(const Machine& m,
                                                      const std::vector<Ref>& values)
{
  std::vector<int64_t> axes;
  for (const Ref value : values) {
    const auto axis = m.to_int(value);
    if (!axis) {
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  return axes;
}

static Ref transpose(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  std::vector<Ref> order = call.self != nullptr ? positional(call) : std::vector<Ref>();
  if (const Ref axes = call.arg("axes"); axes != nullptr && !m.is_none(axes)) {
    order = {axes};
  }
  if (order.size() == 1) {
    if (m.is_none(order.front())) {
      order.clear();
    } else if (as<Sequence>(order.front()) != nullptr) {
      order = m.items_of(order.front());
    } else {
      return rearranged(m, call, input, Shape::top());
    }
  }
  if (order.empty()) {
    Shape shape = input.shape;
    if (shape.has_rank()) {
      std::vector<Dim> dims = shape.dims();
      std::reverse(dims.begin(), dims.end());
      shape = Shape::of(std::move(dims));
    }
    return rearranged(m, call, input, shape);
  }
  const auto axes = known_axes(m, order);
  const Shape shape = axes ? settle(m, call, permuted(input.shape, *axes), call.span)
                           : Shape::of_rank(order.size());
  return rearranged(m, call, input, shape);
}

static Ref swap_axes(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const auto a = m.to_int(call.arg("axis1"));
  const auto b = m.to_int(call.arg("axis2"));
  const Shape shape =
      a && b ? settle(m, call, transposed(input.shape, *a, *b), call.span) : Shape::top();
  return rearranged(m, call, input, shape);
}

static Ref move_axis(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const auto from = m.to_int(call.arg("source"));
  const auto to = m.to_int(call.arg("destination"));
  const Shape shape =
      from && to ? settle(m, call, moved(input.shape, *from, *to), call.span)
                 : (input.shape.has_rank() ? Shape::of_rank(*input.shape.rank()) : Shape::top());
  return rearranged(m, call, input, shape);
}

// rollaxis puts the axis in front of `start`.
static Ref roll_axis(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const auto axis = m.to_int(call.arg("axis"));
  const auto start = m.to_int(call.arg("start"));
  Shape shape = Shape::top();
  if (axis && start && input.shape.has_rank() && input.shape.axis(*axis)) {
    const auto rank = static_cast<int64_t>(*input.shape.rank());
    const auto from = static_cast<int64_t>(*input.shape.axis(*axis));
    int64_t to = *start < 0 ? *start + rank : *start;
    to -= from < to ? 1 : 0;
    shape = settle(m, call, moved(input.shape, from, to), call.span);
  }
  return rearranged(m, call, input, shape);
}

static Ref tile(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call, "A");
  const auto counts = m.to_dims(call.arg("reps"));
  return rearranged(m, call, input, counts ? tiled(input.shape, *counts) : Shape::top());
}

static Ref repeat(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  const Ref repeats = take(m, call, "repeats");
  const Dim count = as<Sequence>(repeats) != nullptr ? Dim::top() : m.to_dim(repeats);
  const Axes axes = axes_argument(m, call.arg("axis"));
  Shape shape = Shape::top();
  if (axes.known && !axes.list) {
    shape = Shape::of({input.shape.elements().times(count)});
  } else if (axes.known) {
    const int64_t axis = axes.list->front();
    if (auto wrong = axis_out_of_range(input.shape, axis, "repeat")) {
      settle(m, call, *wrong, span_of(call, "axis"));
    } else {
      shape = input.shape.with(axis, input.shape.at(axis).times(count));
    }
  }
  return rearranged(m, call, input, shape);
}

static Ref broadcast_array(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call, "array");
  const Shape target = shape_argument(m, call.arg("shape"));
  return rearranged(
      m, call, input, settle(m, call, broadcast_to(input.shape, target), span_of(call, "shape")));
}

// np.resize repeats the data until the shape is full.
static Ref resize(Machine& m, Call& call)
{
  const Tensor& input = subject(m, call);
  return rearranged(m, call, input, shape_argument(m, call.arg("new_shape")));
}

static Ref resize_in_place(Machine& m, Call& call)
{
  if (auto* target = as<Tensor>(call.self)) {
    target->shape = Shape::top();
    overwrite(*target, Interval::point(0));
  }
  return m.none();
}

// (1, 2), ((1, 2), (3, 4)) or 1: how much to add before and after each axis.
static std::optional<std::vector<std::pair<int64_t, int64_t>>>
pad_widths(const Machine& m, Ref value, size_t rank)
{
  using Pair = std::pair<int64_t, int64_t>;
  if (const auto all = m.to_int(value)) {
    return std::vector<Pair>(rank, {*all, *all});
  }
  const std::vector<Ref> rows = m.items_of(value);
  std::vector<Pair> widths;
  for (const Ref row : rows) {
    const auto pair = m.to_ints(row, 2);
    if (!pair || as<Sequence>(row) == nullptr) {
      break;
    }
    widths.emplace_back((*pair)[0], (*pair)[1]);
  }
  if (widths.size() == rank && rows.size() == rank) {
    return widths;
  }
  if (widths.size() == 1 && rows.size() == 1) {
    return std::vector<Pair>(rank, widths.front());
  }
  if (const auto pair = m.to_ints(value, 2); pair && rows.size() == 2) {
    return std::vector<Pair>(rank, {(*pair)[0], (*pair)[1]});
  }
  return std::nullopt;
}

static Ref pad(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "array");
  Shape shape = Shape::top();
  if (input.shape.has_rank()) {
    const auto widths = pad_widths(m, call.arg("pad_width"), *input.shape.rank());
    shape = widths ? settle(m, call, padded(input.shape, 0, *widths), span_of(call, "pad_width"))
                   : Shape::of_rank(*input.shape.rank());
  }
  Tensor* const made = rearranged(m, call, input, shape);
  if (m.to_string(call.arg("mode")) == "constant" && made->interval.is_known()) {
    const Argument* const value = call.keyword("constant_values");
    made->interval.join(value != nullptr ? m.to_interval(value->value) : Interval::point(0));
  }
  return made;
}

// roll, flip: elements change places within the same shape.
static Ref same_shape(Machine& m, Call& call)
{
  return array_like(m, call, subject(m, call, call.argument("m") != nullptr ? "m" : "a"));
}

static Ref rot90(Machine& m, Call& call)
{
  const Tensor& input = operand(m, call, "m");
  const auto turns = m.to_int(call.arg("k"));
  const auto axes = m.to_ints(call.arg("axes"), 2);
  if (turns && *turns % 2 == 0) {
    return array_like(m, call, input);
  }
  const Shape shape =
      turns && axes ? settle(m, call, transposed(input.shape, (*axes)[0], (*axes)[1]), call.span)
                    : Shape::top();
  return rearranged(m, call, input, shape);
}

static Ref at_least(Machine& m, Call& call)
{
  const std::vector<Ref> given = positional(call);
  const size_t rank = call.name.ends_with("1d") ? 1 : call.name.ends_with("2d") ? 2 : 3;
  if (given.size() != 1) {
    return m.unknown();
  }
  const Tensor& input = to_array(m, given.front());
  Shape shape = input.shape;
  while (shape.has_rank() && *shape.rank() < rank) {
    // The third axis comes last.
    shape = shape.inserted(*shape.rank() == 2 ? 2 : 0, Dim::constant(1));
  }
  return rearranged(m, call, input, shape);
}

static constexpr Api k_rows[] = {
    {"numpy.reshape",
     "a, shape=None, order='C', *, newshape=None, copy=None",
     Role::function,
     "reshape",
     k_reshaping,
     reshape},
    {"numpy.ravel", "a, order='C'", Role::function, "flatten", k_reshaping, flattened},
    {"numpy.expand_dims", "a, axis", Role::function, "expand_dims", k_reshaping, expand_dims},
    {"numpy.squeeze", "a, axis=None", Role::function, "squeeze", k_reshaping, squeeze},
    {"numpy.transpose", "a, axes=None", Role::function, "permute", k_reshaping, transpose},
    {"numpy.permute_dims", "a, axes=None", Role::function, "permute", k_reshaping, transpose},
    {"numpy.swapaxes", "a, axis1, axis2", Role::function, "permute", k_reshaping, swap_axes},
    {"numpy.moveaxis", "a, source, destination", Role::function, "permute", k_reshaping, move_axis},
    {"numpy.rollaxis", "a, axis, start=0", Role::function, "permute", k_reshaping, roll_axis},
    {"numpy.tile", "A, reps", Role::function, "tile", 0, tile},
    {"numpy.repeat", "a, repeats, axis=None", Role::function, "repeat", 0, repeat},
    {"numpy.broadcast_to",
     "array, shape, subok=False",
     Role::function,
     "expand",
     0,
     broadcast_array},
    {"numpy.resize", "a, new_shape", Role::function, "repeat", 0, resize},
    {"numpy.pad", "array, pad_width, mode='constant', **kwargs", Role::function, "pad", 0, pad},
    {"numpy.roll", "a, shift, axis=None", Role::function, {}, 0, same_shape},
    {"numpy.flip", "m, axis=None", Role::function, {}, 0, same_shape},
    {"numpy.fliplr", "m", Role::function, {}, 0, same_shape},
    {"numpy.flipud", "m", Role::function, {}, 0, same_shape},
    {"numpy.rot90", "m, k=1, axes=(0, 1)", Role::function, {}, 0, rot90},
    {"numpy.atleast_1d", "*arys", Role::function, {}, k_reshaping, at_least},
    {"numpy.atleast_2d", "*arys", Role::function, {}, k_reshaping, at_least},
    {"numpy.atleast_3d", "*arys", Role::function, {}, k_reshaping, at_least},

    {"numpy.ndarray.reshape",
     "*shape, order='C', copy=None",
     Role::method,
     "reshape",
     k_reshaping,
     reshape},
    {"numpy.ndarray.ravel", "order='C'", Role::method, "flatten", k_reshaping, flattened},
    {"numpy.ndarray.flatten", "order='C'", Role::method, "flatten", k_reshaping, flattened},
    {"numpy.ndarray.squeeze", "axis=None", Role::method, "squeeze", k_reshaping, squeeze},
    {"numpy.ndarray.transpose", "*axes", Role::method, "permute", k_reshaping, transpose},
    {"numpy.ndarray.T", "", Role::attribute, "permute", k_reshaping, transpose},
    {"numpy.ndarray.swapaxes", "axis1, axis2", Role::method, "permute", k_reshaping, swap_axes},
    {"numpy.ndarray.repeat", "repeats, axis=None", Role::method, "repeat", 0, repeat},
    {"numpy.ndarray.resize", "*new_shape, refcheck=True", Role::method, {}, 0, resize_in_place},
};

std::span<const Api> numpy_shapes()
{
  return k_rows;
}

} // namespace faultline::program
