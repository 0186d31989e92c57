// Layers that merge several tensors: Add, Concatenate, Dot and their functions.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"
#include "program/operations/relations.hpp"
#include "program/operations/shapes.hpp"

#include <algorithm>

namespace faultline::program {

namespace {

using keras::begin_many;
using keras::end_plain;

// The two maps that a skip connection joins have different sizes.
bool is_skip(const std::vector<Tensor*>& tensors)
{
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor* one) {
    return one->shape.rank() >= 4 && is_resized(one);
  });
}

Tensor* merged(Machine& machine, Call& call, const std::vector<Tensor*>& tensors, Shaped shaped)
{
  if (shaped.wrong && is_skip(tensors)) {
    shaped.wrong->kind = ProblemKind::skip_size;
    shaped.wrong->help =
        "an odd size is halved and doubled to another size: pad or crop one of them";
  }
  Tensor* made = machine.tensor(call, tf::checked(machine, call, std::move(shaped), call.span));
  made->library =
      tensors.front()->library == Library::tensorflow ? Library::tensorflow : Library::keras;
  made->dtype = tensors.front()->dtype;
  return made;
}

// Keras gives a tensor of lower rank new axes behind the batch.
Shape aligned(const Shape& shape, size_t rank)
{
  Shape result = shape;
  while (result.has_rank() && *result.rank() >= 1 && *result.rank() < rank) {
    result = result.inserted(1, Dim::constant(1));
  }
  return result;
}

Ref combine(Machine& machine, Call& call, const std::vector<Tensor*>& tensors, std::string_view op)
{
  size_t rank = 0;
  for (const Tensor* tensor : tensors) {
    rank = std::max(rank, tensor->shape.rank().value_or(0));
  }
  Shaped shape = aligned(tensors.front()->shape, rank);
  Interval interval = tensors.front()->interval;
  for (size_t i = 1; i < tensors.size() && !shape.wrong; ++i) {
    shape = combined(shape.shape, aligned(tensors[i]->shape, rank)).result;
    interval = op == "average" ? joined(interval, tensors[i]->interval)
                               : interval_after(op, interval, tensors[i]->interval);
  }
  if (op == "subtract" && tensors.size() != 2) {
    machine.problem(
        ProblemKind::bad_argument,
        call.span,
        format("`{}` takes two tensors, not {}", keras::short_name(call), tensors.size()),
        &call);
  }
  Tensor* made = merged(machine, call, tensors, std::move(shape));
  made->interval = interval;
  return end_plain(machine, call, made);
}

Ref chain(Machine& machine, Call& call, const std::vector<Tensor*>& tensors, Ref along)
{
  std::vector<Shape> shapes;
  Interval interval = Interval::bottom();
  for (const Tensor* tensor : tensors) {
    shapes.push_back(tensor->shape);
    interval.join(tensor->interval);
  }
  const auto axis = along != nullptr ? machine.to_int(along) : std::optional<int64_t>(-1);
  Tensor* made = merged(machine, call, tensors, axis ? concatenated(shapes, *axis) : Shape::top());
  made->interval = interval;
  return end_plain(machine, call, made);
}

Ref product(Machine& machine, Call& call, const std::vector<Tensor*>& tensors, Ref along)
{
  if (tensors.size() != 2) {
    return end_plain(machine, call, merged(machine, call, tensors, Shape::top()));
  }
  const Shape& a = tensors[0]->shape;
  const Shape& b = tensors[1]->shape;
  const auto axes = along != nullptr ? machine.to_ints(along, 2) : std::nullopt;
  Shaped shape = Shape::top();
  if (axes && a.rank() >= 2 && b.rank() >= 2) {
    const auto x = a.axis((*axes)[0]);
    const auto y = b.axis((*axes)[1]);
    if (!x || !y || *x == 0 || *y == 0) {
      shape = Wrong{ProblemKind::axis,
                    format("axes of {} and {} are out of range", a.text(), b.text())};
    } else if (a.dims()[*x].compare(b.dims()[*y]) == Dim::Comparison::different) {
      shape = Wrong{ProblemKind::contraction,
                    format("{} and {} cannot be multiplied: {} against {}",
                           a.text(),
                           b.text(),
                           a.dims()[*x].text(),
                           b.dims()[*y].text())};
    } else {
      const Shape rest = a.without(*x).plus(b.without(*y).behind(1));
      shape = rest.rank() == 1 ? rest.inserted(1, Dim::constant(1)) : rest;
    }
  }
  const bool unit = machine.truthiness(call.setting_value("normalize")).value_or(false);
  Tensor* made = merged(machine, call, tensors, std::move(shape));
  made->interval = unit ? Interval::of(-1, 1)
                        : product_interval(tensors[0]->interval, tensors[1]->interval, Dim::top());
  return end_plain(machine, call, made);
}

Ref merge(Machine& machine, Call& call)
{
  const std::vector<Tensor*> tensors = begin_many(machine, call);
  if (tensors.empty()) {
    return end_plain(machine, call, machine.unknown());
  }
  if (call.is("concat")) {
    return chain(machine, call, tensors, call.setting_value("axis"));
  }
  if (call.is("dot")) {
    return product(machine, call, tensors, call.setting_value("axes"));
  }
  return combine(machine, call, tensors, call.op());
}

// Keras 1: the way is an argument.
Ref merge_by_mode(Machine& machine, Call& call)
{
  const std::vector<Tensor*> tensors = begin_many(machine, call);
  const auto mode = machine.to_string(call.setting_value("mode"));
  if (tensors.empty() || !mode) {
    return end_plain(machine, call, machine.unknown());
  }
  if (*mode == "concat") {
    return chain(machine, call, tensors, call.setting_value("concat_axis"));
  }
  if (*mode == "dot" || *mode == "cos") {
    return product(machine, call, tensors, call.setting_value("dot_axes"));
  }
  const std::string_view op = *mode == "mul"   ? "multiply"
                              : *mode == "ave" ? "average"
                              : *mode == "max" ? "maximum"
                                               : "add";
  return combine(machine, call, tensors, op);
}

constexpr Api
layer(std::string_view name, std::string_view op, std::string_view signature = "**kwargs")
{
  return {name, signature, Role::layer, op, k_merging, merge};
}
constexpr Api function(std::string_view name,
                       std::string_view op,
                       std::string_view signature = "inputs, **kwargs")
{
  return {name, signature, Role::layer_function, op, k_merging, merge};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    layer("keras.layers.Add", "add"),
    layer("keras.layers.Subtract", "subtract"),
    layer("keras.layers.Multiply", "multiply"),
    layer("keras.layers.Average", "average"),
    layer("keras.layers.Maximum", "maximum"),
    layer("keras.layers.Minimum", "minimum"),
    layer("keras.layers.Concatenate", "concat", "axis=-1, **kwargs"),
    layer("keras.layers.Dot", "dot", "axes, normalize=False, **kwargs"),
    function("keras.layers.add", "add"),
    function("keras.layers.subtract", "subtract"),
    function("keras.layers.multiply", "multiply"),
    function("keras.layers.average", "average"),
    function("keras.layers.maximum", "maximum"),
    function("keras.layers.minimum", "minimum"),
    function("keras.layers.concatenate", "concat", "inputs, axis=-1, **kwargs"),
    function("keras.layers.dot", "dot", "inputs, axes, normalize=False, **kwargs"),
    {"keras.layers.merge", "inputs, mode='sum', concat_axis=-1, dot_axes=-1, output_shape=None, name=None, **kwargs", Role::layer_function, "merge", k_merging, merge_by_mode},
    {"keras.layers.Merge", "layers=None, mode='sum', concat_axis=-1, dot_axes=-1, output_shape=None, **kwargs", Role::layer, "merge", k_merging, merge_by_mode},
};
// clang-format on

} // namespace

std::span<const Api> keras_layers_merge()
{
  return k_rows;
}

} // namespace faultline::program
