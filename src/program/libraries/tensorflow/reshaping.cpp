// Functions that move, cut and join elements, by the op of their row.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/operations/intervals.hpp"

#include <algorithm>

namespace faultline::program::tf {

namespace {

constexpr int64_t k_most_parts = 256;

bool is_whole_number(Machine& machine, Ref value)
{
  return value != nullptr && value->kind == Kind::constant && machine.to_int(value).has_value();
}

// The list of tensors that a function joins; nothing if it is not known how many.
std::optional<std::vector<Tensor*>> parts_of(Machine& machine, Ref list)
{
  const auto* sequence = as<Sequence>(list);
  if (sequence == nullptr || sequence->open || sequence->items.empty()) {
    return std::nullopt;
  }
  return operands(machine, list);
}

// A joined tensor: what all parts agree on.
Tensor* joined_tensor(Machine& machine, Call& call, const std::vector<Tensor*>& parts, Shape shape)
{
  DType dtype = parts.front()->dtype;
  Interval interval = Interval::bottom();
  for (const Tensor* part : parts) {
    interval.join(part->interval);
    dtype = dtype == part->dtype ? dtype : DType();
  }
  Tensor* made = result(machine, call, std::move(shape), dtype, interval);
  const Tensor& first = *parts.front();
  if (std::all_of(parts.begin(), parts.end(), [&](const Tensor* part) {
        return part->encoding == first.encoding && part->source == first.source;
      })) {
    made->encoding = first.encoding;
    made->classes = first.classes;
    made->source = first.source;
  }
  return made;
}

Ref list_of(Machine& machine, Call& call, const Tensor& input, const std::vector<Shape>& shapes)
{
  std::vector<Ref> items;
  for (const Shape& one : shapes) {
    items.push_back(moved(machine, call, input, one));
  }
  return machine.list(std::move(items));
}

} // namespace

Ref reshape(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref wanted = argument(call, 1);
  const auto dims = wanted != nullptr ? machine.to_dims(wanted) : std::nullopt;
  const Shape shape =
      dims ? checked(machine, call, reshaped(x->shape, *dims), argument_span(call, 1))
           : shape_of(machine, wanted);
  return moved(machine, call, *x, shape);
}

Ref expand_dims(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto axis = machine.to_int(option(call, {"axis", "dim"}));
  const Shape shape =
      axis ? checked(machine, call, with_new_axis(x->shape, *axis), call.span) : Shape::top();
  return moved(machine, call, *x, shape);
}

Ref squeeze(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref along = option(call, {"axis", "squeeze_dims"});
  if (along == nullptr || machine.is_none(along)) {
    return moved(machine, call, *x, squeezed(x->shape));
  }
  auto where_to = axes(machine, along);
  if (!where_to || !x->shape.has_rank()) {
    return moved(machine, call, *x, Shape::top());
  }
  Shape shape = x->shape;
  std::vector<size_t> places;
  for (const int64_t axis : *where_to) {
    const auto place = x->shape.axis(axis);
    if (!place) {
      checked(machine, call, *axis_out_of_range(x->shape, axis, "squeeze"), call.span);
      return moved(machine, call, *x, Shape::top());
    }
    const auto size = x->shape.at(axis).constant();
    if (size && *size != 1) {
      machine.problem(
          ProblemKind::squeeze,
          call.span,
          format(
              "axis {} of {} has size {}, so it cannot be squeezed", axis, x->shape.text(), *size),
          &call);
      return moved(machine, call, *x, Shape::top());
    }
    places.push_back(*place);
  }
  std::sort(places.rbegin(), places.rend());
  for (const size_t place : places) {
    shape = shape.without(place);
  }
  return moved(machine, call, *x, shape);
}

Ref transpose(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref order = option(call, {"perm", "pattern", "axes"});
  Shape shape = Shape::top();
  if (order == nullptr || machine.is_none(order)) {
    if (x->shape.has_rank()) {
      shape = Shape::of({x->shape.dims().rbegin(), x->shape.dims().rend()});
    }
  } else if (const auto known = axes(machine, order)) {
    shape = checked(machine, call, permuted(x->shape, *known), call.span);
  }
  return moved(machine, call, *x, shape);
}

Ref concat(Machine& machine, Call& call)
{
  Ref list = argument(call, 0);
  Ref along = argument(call, 1);
  // Before TensorFlow 1.0 the axis came first.
  if (is_whole_number(machine, list)) {
    std::swap(list, along);
  }
  const auto parts = parts_of(machine, list);
  if (!parts) {
    return result(machine, call, Shape::top());
  }
  for (const Tensor* part : *parts) {
    expect_same_dtype(machine, call, *parts->front(), *part);
  }
  const auto axis = machine.to_int(along);
  const Shape shape =
      axis ? checked(machine, call, concatenated(shapes_of(*parts), *axis), call.span)
           : (parts->front()->shape.has_rank() ? Shape::of_rank(*parts->front()->shape.rank())
                                               : Shape::top());
  return joined_tensor(machine, call, *parts, shape);
}

Ref stack(Machine& machine, Call& call)
{
  const auto parts = parts_of(machine, argument(call, 0));
  if (!parts) {
    return result(machine, call, Shape::top());
  }
  const auto axis = machine.to_int(argument(call, 1));
  const Shape shape =
      axis ? checked(machine, call, stacked(shapes_of(*parts), *axis), call.span) : Shape::top();
  return joined_tensor(machine, call, *parts, shape);
}

Ref unstack(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto axis = machine.to_int(option(call, {"axis"}));
  if (!axis) {
    return machine.open_list(moved(machine, call, *x, Shape::top()));
  }
  if (auto wrong = axis_out_of_range(x->shape, *axis, "unstack")) {
    checked(machine, call, *std::move(wrong), call.span);
    return machine.unknown();
  }
  const auto place = x->shape.axis(*axis);
  const Shape one = place ? x->shape.without(*place) : Shape::top();
  const auto known = x->shape.at(*axis).constant();
  const auto wanted = machine.to_int(option(call, {"num"}));
  if (known && wanted && *known != *wanted) {
    machine.problem(
        ProblemKind::reshape,
        call.span,
        format("axis {} of {} has size {}, not {}", *axis, x->shape.text(), *known, *wanted),
        &call);
  }
  const auto count = known ? known : wanted;
  if (!count || *count < 0 || *count > k_most_parts) {
    return machine.open_list(moved(machine, call, *x, one));
  }
  return list_of(machine, call, *x, std::vector<Shape>(static_cast<size_t>(*count), one));
}

Ref split(Machine& machine, Call& call)
{
  Ref value = argument(call, 0);
  const Ref number = argument(call, 1);
  Ref along = argument(call, 2);
  // Before TensorFlow 1.0: the axis, the number, the value.
  if (is_whole_number(machine, value) && along != nullptr && !is_whole_number(machine, along)) {
    std::swap(value, along);
  }
  const Tensor* x = operand(machine, value);
  const auto axis = along != nullptr ? machine.to_int(along) : std::optional<int64_t>(0);
  const bool is_list = number != nullptr && number->kind == Kind::sequence;
  const int64_t count = is_list ? 0 : machine.to_int(number).value_or(0);
  if (!axis) {
    return machine.open_list(moved(machine, call, *x, Shape::top()));
  }
  if (auto wrong = axis_out_of_range(x->shape, *axis, "split")) {
    checked(machine, call, *std::move(wrong), call.span);
    return machine.unknown();
  }
  const Dim size = x->shape.at(*axis);
  if (count > 0 && count <= k_most_parts) {
    const auto known = size.constant();
    if (known && *known % count != 0) {
      machine.problem(
          ProblemKind::reshape,
          argument_span(call, 1),
          format(
              "axis {} of {} cannot be split into {} equal parts", *axis, x->shape.text(), count),
          &call);
    }
    const Dim each = known && *known % count != 0 ? Dim::top() : size.floor_div(count);
    return list_of(machine,
                   call,
                   *x,
                   std::vector<Shape>(static_cast<size_t>(count), x->shape.with(*axis, each)));
  }
  const auto sizes = is_list ? machine.to_dims(number) : std::nullopt;
  if (!sizes) {
    return machine.open_list(moved(machine, call, *x, x->shape.with(*axis, Dim::top())));
  }
  std::vector<Dim> widths = *sizes;
  Dim total = Dim::constant(0);
  for (Dim& width : widths) {
    width = width.is(-1) ? Dim::top() : width;
    total = total.plus(width);
  }
  if (total.compare(size) == Dim::Comparison::different) {
    machine.problem(ProblemKind::reshape,
                    argument_span(call, 1),
                    format("the parts add up to {}, but axis {} of {} has size {}",
                           total.text(),
                           *axis,
                           x->shape.text(),
                           size.text()),
                    &call);
  }
  return list_of(machine, call, *x, split_into(x->shape, *axis, widths));
}

Ref tile(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto counts = machine.to_dims(argument(call, 1));
  if (counts && x->shape.has_rank() && counts->size() != *x->shape.rank()) {
    machine.problem(ProblemKind::expand,
                    argument_span(call, 1),
                    format("{} repetitions are given for {}", counts->size(), x->shape.text()),
                    &call);
    return moved(machine, call, *x, Shape::top());
  }
  return moved(machine, call, *x, counts ? tiled(x->shape, *counts) : Shape::top());
}

Ref gather(Machine& machine, Call& call)
{
  const Tensor* table = operand(machine, argument(call, 0));
  const Tensor* index = operand(machine, argument(call, 1));
  expect_integers(machine, call, *index, argument_span(call, 1));
  const Ref along = call.arg("axis");
  const auto axis = along != nullptr && !machine.is_none(along) ? machine.to_int(along)
                                                                : std::optional<int64_t>(0);
  const Shape shape =
      axis ? checked(machine, call, taken(table->shape, *axis, index->shape), call.span)
           : Shape::top();
  const auto rows = axis ? table->shape.at(*axis).constant() : std::nullopt;
  if (rows && index->interval.is_known() && index->interval.low() >= static_cast<double>(*rows)) {
    machine.problem(
        ProblemKind::gather,
        argument_span(call, 1),
        format("indices from {} on are outside {}", index->interval.low(), table->shape.text()),
        &call);
  }
  return moved(machine, call, *table, shape);
}

Ref one_hot(Machine& machine, Call& call)
{
  const Tensor* index = operand(machine, argument(call, 0));
  expect_integers(machine, call, *index, argument_span(call, 0));
  const Dim depth = machine.to_dim(argument(call, 1));
  const auto axis = call.arg("axis") != nullptr && !machine.is_none(call.arg("axis"))
                        ? machine.to_int(call.arg("axis"))
                        : std::optional<int64_t>(-1);
  Shape shape = Shape::top();
  if (axis && index->shape.has_rank()) {
    const auto rank = static_cast<int64_t>(*index->shape.rank());
    const int64_t place = *axis < 0 ? *axis + rank + 1 : *axis;
    if (place >= 0 && place <= rank) {
      shape = index->shape.inserted(static_cast<size_t>(place), depth);
    }
  }
  const bool plain = (call.arg("on_value") == nullptr || machine.is_none(call.arg("on_value"))) &&
                     (call.arg("off_value") == nullptr || machine.is_none(call.arg("off_value")));
  const Ref type = call.arg("dtype");
  const DType dtype = type != nullptr && !machine.is_none(type)
                          ? to_dtype(machine, type).value_or(DType())
                          : DType(DType::Kind::float32);
  Tensor* made = result(machine, call, shape, dtype, plain ? Interval::of(0, 1) : Interval::top());
  made->encoding = Encoding::one_hot;
  made->classes = depth.constant().value_or(0);
  made->source = index->source;
  made->requires_grad = Truth::no;
  return made;
}

Ref cast(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Ref wanted = argument(call, 1);
  const DType dtype =
      wanted != nullptr ? to_dtype(machine, wanted).value_or(DType()) : DType::Kind::float32;
  Tensor* made = moved(machine, call, *x, x->shape);
  made->dtype = dtype;
  if (x->dtype == DType(DType::Kind::boolean) && !made->interval.is_known()) {
    made->interval = Interval::of(0, 1);
  }
  if (dtype.is_integer() && x->dtype.is_floating()) {
    made->interval = made->interval.floor();
    made->requires_grad = Truth::no;
  }
  return made;
}

} // namespace faultline::program::tf
