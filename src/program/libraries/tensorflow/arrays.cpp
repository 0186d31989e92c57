// tf.*: making, reshaping, joining and cutting tensors.

#include "base/format.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/names/tables.hpp"
#include "program/operations/intervals.hpp"

#include <cmath>

namespace faultline::program {

namespace {

using tf::argument;
using tf::operand;
using tf::result;

Ref range(Machine& machine, Call& call)
{
  Ref first = argument(call, 0);
  Ref last = argument(call, 1);
  if (last == nullptr || machine.is_none(last)) {
    last = first;
    first = machine.integer(0);
  }
  const auto from = machine.to_double(first);
  const auto to = machine.to_double(last);
  const auto step = machine.to_double(call.arg("delta"));
  Dim count = Dim::top();
  Interval interval = Interval::top();
  if (from && to && step && *step != 0) {
    const double steps = std::max(0.0, std::ceil((*to - *from) / *step));
    count = fits_integer(steps) ? Dim::constant(static_cast<int64_t>(steps)) : Dim::top();
    interval = steps > 0 ? Interval::of(std::min(*from, *to), std::max(*from, *to)) : interval;
  }
  const auto whole = [](Ref value) {
    const auto* constant = as<Constant>(value);
    return constant != nullptr && std::holds_alternative<int64_t>(constant->value);
  };
  const Ref type = call.arg("dtype");
  DType dtype = whole(first) && whole(last) ? DType(DType::Kind::int32) : DType();
  if (type != nullptr && !machine.is_none(type)) {
    dtype = tf::to_dtype(machine, type).value_or(DType());
  }
  return result(machine, call, Shape::of({count}), dtype, interval);
}

Ref linspace(Machine& machine, Call& call)
{
  const Interval from = machine.to_interval(argument(call, 0));
  const Interval to = machine.to_interval(argument(call, 1));
  return result(machine,
                call,
                Shape::of({machine.to_dim(call.arg("num"))}),
                DType::Kind::float32,
                joined(from, to));
}

Ref eye(Machine& machine, Call& call)
{
  const Dim rows = machine.to_dim(call.arg("num_rows"));
  const Ref given = call.arg("num_columns");
  const Dim columns = given != nullptr && !machine.is_none(given) ? machine.to_dim(given) : rows;
  const bool batched = call.given("batch_shape") != nullptr;
  Tensor* made = result(machine,
                        call,
                        batched ? Shape::top() : Shape::of({rows, columns}),
                        tf::to_dtype(machine, call.arg("dtype")).value_or(DType()),
                        Interval::of(0, 1));
  made->requires_grad = Truth::no;
  return made;
}

Ref pad(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Ref amounts = argument(call, 1);
  if (const auto* tensor = as<Tensor>(amounts); tensor != nullptr && tensor->literal != nullptr) {
    amounts = tensor->literal;
  }
  Shape shape = Shape::top();
  if (const auto* list = as<Sequence>(amounts); list != nullptr && !list->open) {
    std::vector<std::pair<int64_t, int64_t>> sides;
    bool known = true;
    for (const Ref item : list->items) {
      const auto pair = machine.to_ints(item, 2);
      known = known && pair.has_value();
      sides.emplace_back(pair ? (*pair)[0] : 0, pair ? (*pair)[1] : 0);
    }
    if (x->shape.has_rank() && sides.size() != *x->shape.rank()) {
      machine.problem(
          ProblemKind::rank,
          tf::argument_span(call, 1),
          format("{} axes are padded, but the input is {}", sides.size(), x->shape.text()),
          &call);
    } else if (known) {
      shape = tf::checked(machine, call, padded(x->shape, 0, sides), call.span);
    } else if (x->shape.has_rank()) {
      shape = Shape::of_rank(*x->shape.rank());
    }
  }
  Tensor* made = tf::moved(machine, call, *x, shape);
  made->interval = joined(x->interval, machine.to_interval(call.arg("constant_values")));
  made->literal = nullptr;
  return made;
}

// slice(x, begin, size): -1 goes to the end.
Ref slice(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto from = machine.to_dims(argument(call, 1));
  const auto sizes = machine.to_dims(argument(call, 2));
  if (!sizes || !x->shape.has_rank()) {
    return tf::moved(machine, call, *x, sizes ? Shape::of_rank(sizes->size()) : Shape::top());
  }
  if (sizes->size() != *x->shape.rank()) {
    machine.problem(ProblemKind::index,
                    call.span,
                    format("{} sizes are given for {}", sizes->size(), x->shape.text()),
                    &call);
    return tf::moved(machine, call, *x, Shape::top());
  }
  std::vector<Dim> dims;
  for (size_t i = 0; i < sizes->size(); ++i) {
    const Dim size = (*sizes)[i];
    const Dim start = from && i < from->size() ? (*from)[i] : Dim::top();
    const Dim whole = x->shape.dims()[i];
    const auto end = start.plus(size).constant();
    const auto most = whole.constant();
    if (!size.is(-1) && end && most && *end > *most) {
      machine.problem(ProblemKind::index,
                      call.span,
                      format("elements {} to {} of axis {} lie outside {}",
                             start.text(),
                             *end,
                             i,
                             x->shape.text()),
                      &call);
    }
    dims.push_back(size.is(-1) ? whole.minus(start) : size);
  }
  return tf::moved(machine, call, *x, Shape::of(std::move(dims)));
}

Ref strided_slice(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto from = machine.to_dims(argument(call, 1));
  const auto to = machine.to_dims(argument(call, 2));
  const Ref by = argument(call, 3);
  const auto steps = by != nullptr && !machine.is_none(by) ? machine.to_dims(by) : std::nullopt;
  const bool masked = call.given("shrink_axis_mask") != nullptr ||
                      call.given("new_axis_mask") != nullptr ||
                      call.given("ellipsis_mask") != nullptr ||
                      call.given("begin_mask") != nullptr || call.given("end_mask") != nullptr;
  if (!from || !to || masked || from->size() != to->size()) {
    return tf::moved(machine, call, *x, Shape::top());
  }
  if (x->shape.has_rank() && from->size() > *x->shape.rank()) {
    machine.problem(
        ProblemKind::index,
        call.span,
        format("{} axes are sliced, but the input is {}", from->size(), x->shape.text()),
        &call);
    return tf::moved(machine, call, *x, Shape::top());
  }
  std::vector<Index> parts;
  for (size_t i = 0; i < from->size(); ++i) {
    Index part;
    part.kind = Index::Kind::slice;
    part.from = (*from)[i];
    part.to = (*to)[i];
    if (steps && i < steps->size()) {
      part.step = (*steps)[i];
    }
    parts.push_back(part);
  }
  return tf::moved(
      machine, call, *x, tf::checked(machine, call, indexed(x->shape, parts), call.span));
}

Ref gather_nd(Machine& machine, Call& call)
{
  const Tensor* table = operand(machine, argument(call, 0));
  const Tensor* index = operand(machine, argument(call, 1));
  tf::expect_integers(machine, call, *index, tf::argument_span(call, 1));
  Shape shape = Shape::top();
  const auto depth = index->shape.at(-1).constant();
  if (depth && *depth >= 0 && table->shape.has_rank() && index->shape.has_rank()) {
    if (static_cast<size_t>(*depth) > *table->shape.rank()) {
      machine.problem(ProblemKind::gather,
                      tf::argument_span(call, 1),
                      format("indices of length {} into {}", *depth, table->shape.text()),
                      &call);
    } else {
      shape = index->shape.without(*index->shape.rank() - 1)
                  .plus(table->shape.behind(static_cast<size_t>(*depth)));
    }
  }
  return tf::moved(machine, call, *table, shape);
}

Ref scatter_nd(Machine& machine, Call& call)
{
  const Tensor* updates = operand(machine, argument(call, 1));
  return result(machine, call, tf::shape_of(machine, argument(call, 2)), updates->dtype);
}

Ref boolean_mask(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Tensor* mask = operand(machine, argument(call, 1));
  Shape shape = Shape::top();
  const auto rank = mask->shape.rank();
  if (rank && x->shape.has_rank() && *rank >= 1 && *rank <= *x->shape.rank()) {
    for (size_t i = 0; i < *rank; ++i) {
      if (mask->shape.dims()[i].compare(x->shape.dims()[i]) == Dim::Comparison::different) {
        machine.problem(
            ProblemKind::index,
            tf::argument_span(call, 1),
            format("a mask of shape {} does not fit {}", mask->shape.text(), x->shape.text()),
            &call);
        return tf::moved(machine, call, *x, Shape::top());
      }
    }
    shape = Shape::of({machine.fresh_symbol()}).plus(x->shape.behind(*rank));
  }
  return tf::moved(machine, call, *x, shape);
}

Ref repeat(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto axis = machine.to_int(call.arg("axis"));
  const auto count = machine.to_int(argument(call, 1));
  Shape shape = Shape::top();
  if (axis && count && x->shape.axis(*axis)) {
    shape = x->shape.with(*axis, x->shape.at(*axis).times(Dim::constant(*count)));
  } else if (call.arg("axis") != nullptr && machine.is_none(call.arg("axis"))) {
    shape = Shape::of({count ? x->shape.elements().times(Dim::constant(*count)) : Dim::top()});
  } else if (x->shape.has_rank()) {
    shape = Shape::of_rank(*x->shape.rank());
  }
  return tf::moved(machine, call, *x, shape);
}

Ref broadcast(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Shape target = tf::shape_of(machine, argument(call, 1));
  return tf::moved(
      machine,
      call,
      *x,
      tf::checked(machine, call, broadcast_to(x->shape, target), tf::argument_span(call, 1)));
}

Ref sequence_mask(Machine& machine, Call& call)
{
  const Tensor* lengths = operand(machine, argument(call, 0));
  const Dim longest = machine.to_dim(call.arg("maxlen"));
  Tensor* made = result(machine,
                        call,
                        lengths->shape.plus(Shape::of({longest})),
                        tf::to_dtype(machine, call.arg("dtype")).value_or(DType()),
                        Interval::of(0, 1));
  made->encoding = Encoding::mask;
  return made;
}

Ref meshgrid(Machine& machine, Call& call)
{
  std::vector<Dim> dims;
  for (const Argument& argument : call.surplus) {
    if (argument.name.empty()) {
      dims.push_back(operand(machine, argument.value)->shape.at(0));
    }
  }
  if (dims.size() >= 2 && machine.to_string(call.arg("indexing")) != "ij") {
    std::swap(dims[0], dims[1]);
  }
  std::vector<Ref> grids;
  for (size_t i = 0; i < dims.size(); ++i) {
    grids.push_back(result(machine, call, Shape::of(dims)));
  }
  return machine.list(std::move(grids));
}

Ref unique(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* values =
      result(machine, call, Shape::of({machine.fresh_symbol()}), x->dtype, x->interval);
  Tensor* places = result(machine, call, x->shape, DType::Kind::int32);
  return machine.tuple({values, places});
}

Ref rank(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = result(machine, call, Shape::scalar(), DType::Kind::int32);
  if (const auto known = x->shape.rank()) {
    made->interval = Interval::point(static_cast<double>(*known));
  }
  return made;
}

Ref size(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made =
      result(machine, call, Shape::scalar(), DType::Kind::int32, Interval::of(0, Interval::k_inf));
  if (const auto known = x->shape.elements().constant()) {
    made->interval = Interval::point(static_cast<double>(*known));
  }
  return made;
}

Ref diagonal(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = tf::moved(machine, call, *x, x->shape.plus(Shape::of({x->shape.at(-1)})));
  made->interval = joined(x->interval, Interval::point(0));
  return made;
}

Ref diagonal_part(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return tf::moved(machine,
                   call,
                   *x,
                   x->shape.rank() >= 2 ? x->shape.without(*x->shape.rank() - 1) : Shape::top());
}

Ref matrix_transpose(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return tf::moved(machine, call, *x, transposed(x->shape, -1, -2).shape);
}

Ref space_to_depth(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto block = machine.to_int(call.arg("block_size"));
  Shape shape = Shape::of_rank(4);
  if (block && *block > 0 && x->shape.rank() == 4) {
    const bool grows = call.is("pixel_shuffle");
    const auto channels = x->shape.at(3).constant();
    if (grows && channels && *channels % (*block * *block) != 0) {
      machine.problem(
          ProblemKind::groups,
          call.span,
          format("{} channels cannot be spread over blocks of {}x{}", *channels, *block, *block),
          &call);
      return tf::moved(machine, call, *x, shape);
    }
    const auto scaled = [&](Dim dim, bool up, int64_t factor) {
      return up ? dim.times(Dim::constant(factor)) : dim.floor_div(factor);
    };
    shape = Shape::of({x->shape.at(0),
                       scaled(x->shape.at(1), grows, *block),
                       scaled(x->shape.at(2), grows, *block),
                       scaled(x->shape.at(3), !grows, *block * *block)});
  }
  return tf::moved(machine, call, *x, shape);
}

Ref cast_to(Machine& machine, Call& call)
{
  return tf::cast(machine, call);
}

constexpr std::string_view k_normal =
    "shape, mean=0.0, stddev=1.0, dtype='float32', seed=None, name=None";

constexpr Api to(std::string_view name, std::string_view type)
{
  return {name, type, Role::function, "cast", k_elementwise | k_reshaping, cast_to};
}
constexpr Api same(std::string_view name,
                   std::string_view signature,
                   std::string_view op,
                   uint32_t traits = k_elementwise | k_reshaping)
{
  return {name, signature, Role::function, op, traits, tf::same};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    tf::moves("tensorflow.reshape", "tensor, shape, name=None", "reshape", tf::reshape),
    tf::moves("tensorflow.expand_dims", "input, axis=None, name=None, dim=None", "expand_dims", tf::expand_dims),
    tf::moves("tensorflow.squeeze", "input, axis=None, name=None, squeeze_dims=None", "squeeze", tf::squeeze),
    tf::moves("tensorflow.transpose", "a, perm=None, conjugate=False, name=None", "permute", tf::transpose),
    tf::moves("tensorflow.matrix_transpose", "a, name=None", "permute", matrix_transpose),
    tf::moves("tensorflow.concat", "values, axis, name='concat'", "concat", tf::concat),
    tf::moves("tensorflow.concat_v2", "values, axis, name='concat'", "concat", tf::concat),
    tf::moves("tensorflow.stack", "values, axis=0, name='stack'", "stack", tf::stack),
    tf::moves("tensorflow.pack", "values, axis=0, name='pack'", "stack", tf::stack),
    tf::moves("tensorflow.parallel_stack", "values, axis=0, name=None", "stack", tf::stack),
    tf::moves("tensorflow.unstack", "value, num=None, axis=0, name='unstack'", "unstack", tf::unstack),
    tf::moves("tensorflow.unpack", "value, num=None, axis=0, name='unpack'", "unstack", tf::unstack),
    tf::moves("tensorflow.split", "value, num_or_size_splits, axis=0, num=None, name='split'", "split", tf::split),
    tf::moves("tensorflow.tile", "input, multiples, name=None", "tile", tf::tile),
    tf::moves("tensorflow.repeat", "input, repeats, axis=None, name=None", "repeat", repeat),
    tf::moves("tensorflow.broadcast_to", "input, shape, name=None", "expand", broadcast),
    tf::moves("tensorflow.pad", "tensor, paddings, mode='CONSTANT', constant_values=0, name=None", "pad", pad),
    tf::moves("tensorflow.slice", "input_, begin, size, name=None", "slice", slice),
    tf::moves("tensorflow.strided_slice", "input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, var=None, name=None", "slice", strided_slice),
    tf::moves("tensorflow.gather", "params, indices, axis=None, name=None, validate_indices=None, batch_dims=0", "gather", tf::gather),
    tf::moves("tensorflow.gather_nd", "params, indices, name=None", "gather", gather_nd),
    tf::moves("tensorflow.batch_gather", "params, indices, name=None", "gather", nullptr),
    tf::moves("tensorflow.scatter_nd", "indices, updates, shape, name=None", "scatter", scatter_nd),
    tf::moves("tensorflow.tensor_scatter_nd_update", "tensor, indices, updates, name=None", "scatter", tf::same),
    tf::moves("tensorflow.boolean_mask", "tensor, mask, name='boolean_mask', axis=None", "slice", boolean_mask),
    tf::moves("tensorflow.reverse", "tensor, axis, name=None", "flip", tf::same),
    tf::moves("tensorflow.reverse_v2", "tensor, axis, name=None", "flip", tf::same),
    tf::moves("tensorflow.reverse_sequence", "input, seq_lengths, seq_axis=None, batch_axis=None, **kwargs", "flip", tf::same),
    tf::moves("tensorflow.roll", "input, shift, axis, name=None", "roll", tf::same),
    tf::moves("tensorflow.random_shuffle", "value, seed=None, name=None", "shuffle", tf::same),
    tf::moves("tensorflow.sort", "values, axis=-1, direction='ASCENDING', name=None", "sort", tf::same),
    tf::moves("tensorflow.argsort", "values, axis=-1, direction='ASCENDING', stable=False, name=None", "argsort", nullptr),
    tf::moves("tensorflow.diag", "diagonal, name=None", "diag", diagonal),
    tf::moves("tensorflow.matrix_diag", "diagonal, name=None, **kwargs", "diag", diagonal),
    tf::moves("tensorflow.diag_part", "input, name=None", "diag", diagonal_part),
    tf::moves("tensorflow.matrix_diag_part", "input, name=None, **kwargs", "diag", diagonal_part),
    tf::moves("tensorflow.matrix_band_part", "input, num_lower, num_upper, name=None", "tril", tf::same),
    tf::moves("tensorflow.space_to_depth", "input, block_size, data_format='NHWC', name=None", "space_to_depth", space_to_depth),
    tf::moves("tensorflow.depth_to_space", "input, block_size, data_format='NHWC', name=None", "pixel_shuffle", space_to_depth),
    tf::moves("tensorflow.extract_image_patches", "images, ksizes=None, strides=None, rates=None, padding=None, **kwargs", "unfold", nullptr),
    tf::moves("tensorflow.meshgrid", "*args, indexing='xy', name=None", "meshgrid", meshgrid),
    tf::moves("tensorflow.unique", "x, out_idx='int32', name=None", "unique", unique),
    tf::moves("tensorflow.unique_with_counts", "x, out_idx='int32', name=None", "unique", nullptr),
    tf::moves("tensorflow.dynamic_partition", "data, partitions, num_partitions, name=None", "split", nullptr),
    tf::moves("tensorflow.dynamic_stitch", "indices, data, name=None", "concat", nullptr),
    tf::moves("tensorflow.sequence_mask", "lengths, maxlen=None, dtype='bool', name=None", "mask", sequence_mask),
    {"tensorflow.where", "condition, x=None, y=None, name=None", Role::function, "where", 0, tf::where},
    {"tensorflow.select", "condition, t, e, name=None", Role::function, "where", 0, tf::where},
    {"tensorflow.one_hot", "indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None", Role::function, "one_hot", k_no_gradient, tf::one_hot},
    {"tensorflow.cast", "x, dtype, name=None", Role::function, "cast", k_elementwise | k_reshaping, tf::cast},
    {"tensorflow.saturate_cast", "value, dtype, name=None", Role::function, "cast", k_elementwise | k_reshaping, tf::cast},
    {"tensorflow.bitcast", "input, type, name=None", Role::function, "cast"},
    to("tensorflow.to_float", "x, dtype='float32'"),
    to("tensorflow.to_double", "x, dtype='float64'"),
    to("tensorflow.to_int32", "x, dtype='int32'"),
    to("tensorflow.to_int64", "x, dtype='int64'"),
    same("tensorflow.identity", "input, name=None", "identity"),
    same("tensorflow.ensure_shape", "x, shape, name=None", "identity"),
    same("tensorflow.stop_gradient", "input, name=None", "detach", k_elementwise | k_reshaping | k_no_gradient),
    same("tensorflow.Print", "input_, data=None, message=None, first_n=None, summarize=None, name=None", "print_tensor"),
    same("tensorflow.check_numerics", "tensor, message='', name=None", "identity"),
    same("tensorflow.add_check_numerics_ops", "tensor=None", "identity"),
    same("tensorflow.verify_tensor_all_finite", "t, msg='', name=None", "identity"),
    same("tensorflow.placeholder_like", "input", "identity"),

    {"tensorflow.shape", "input, name=None, out_type='int32'", Role::function, "shape", k_no_gradient, tf::shape},
    {"tensorflow.size", "input, name=None, out_type='int32'", Role::function, "size", k_no_gradient, size},
    {"tensorflow.rank", "input, name=None", Role::function, "rank", k_no_gradient, rank},
    {"tensorflow.shape_n", "input, **kwargs", Role::function, "shape", k_no_gradient},

    tf::makes("tensorflow.zeros", "shape, dtype='float32', name=None", "zeros", tf::filled),
    tf::makes("tensorflow.ones", "shape, dtype='float32', name=None", "ones", tf::filled),
    tf::makes("tensorflow.fill", "dims, value, name=None", "full", tf::filled),
    tf::makes("tensorflow.zeros_like", "input, dtype=None, name=None, optimize=True", "zeros", tf::like),
    tf::makes("tensorflow.ones_like", "input, dtype=None, name=None, optimize=True", "ones", tf::like),
    tf::makes("tensorflow.eye", "num_rows, num_columns=None, batch_shape=None, dtype='float32', name=None", "eye", eye),
    tf::makes("tensorflow.range", "start, limit=None, delta=1, dtype=None, name='range'", "arange", range),
    tf::makes("tensorflow.linspace", "start, stop, num, name=None, axis=0", "linspace", linspace),
    tf::makes("tensorflow.lin_space", "start, stop, num, name=None", "linspace", linspace),
    tf::makes("tensorflow.constant", "value, dtype=None, shape=None, name='Const', verify_shape=False", "constant", tf::constant),
    tf::makes("tensorflow.convert_to_tensor", "value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None", "from_array", tf::constant),
    tf::makes("tensorflow.random_normal", k_normal, "random_normal", tf::filled, k_source | k_random),
    tf::makes("tensorflow.truncated_normal", k_normal, "truncated_normal", tf::filled, k_source | k_random),
    tf::makes("tensorflow.random_uniform", "shape, minval=0, maxval=None, dtype='float32', seed=None, name=None", "random_uniform", tf::filled, k_source | k_random),
    tf::makes("tensorflow.random_gamma", "shape, alpha, beta=None, dtype='float32', seed=None, name=None", "random_gamma", tf::filled, k_source | k_random),
    tf::makes("tensorflow.random_crop", "value, size, seed=None, name=None", "crop", nullptr, k_random),
    tf::makes("tensorflow.multinomial", "logits, num_samples, seed=None, name=None, output_dtype=None", "random_int", nullptr, k_random | k_no_gradient),
    tf::makes("tensorflow.random.categorical", "logits, num_samples, dtype=None, seed=None, name=None", "random_int", nullptr, k_random | k_no_gradient),
    {"tensorflow.set_random_seed", "seed", Role::function, "seed", 0, tf::nothing},
    {"tensorflow.newaxis", {}, Role::constant},
};
// clang-format on

} // namespace

std::span<const Api> tf_arrays()
{
  return k_rows;
}

} // namespace faultline::program
