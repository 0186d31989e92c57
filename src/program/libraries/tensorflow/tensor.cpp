// Attributes and methods of tf.Tensor and tf.Variable, and the types. A TensorShape is a tuple and
// a Dimension an int, so that what TensorFlow adds to them is listed under Python's names.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using tf::attribute;

Tensor* self(const Call& call)
{
  return as<Tensor>(call.self);
}

Ref shape(Machine& machine, Call& call)
{
  const Tensor* tensor = self(call);
  if (tensor == nullptr || !tensor->shape.has_rank()) {
    return machine.unknown();
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : tensor->shape.dims()) {
    sizes.push_back(machine.integer(dim));
  }
  return machine.tuple(std::move(sizes));
}

// Gives a tensor that the graph knows nothing of its static shape.
Ref set_shape(Machine& machine, Call& call)
{
  Tensor* tensor = self(call);
  const Shape wanted = tf::shape_of(machine, call.arg("shape"), true);
  if (tensor != nullptr && tensor->shape.compare(wanted) == Dim::Comparison::different) {
    Problem& problem = machine.problem(ProblemKind::reshape,
                                       call.span,
                                       format("a tensor of shape {} cannot be declared to be {}",
                                              tensor->shape.text(),
                                              wanted.text()),
                                       &call);
    problem.help = "`set_shape` only adds what is known; use `tf.reshape` to change the shape";
    return machine.none();
  }
  if (tensor != nullptr && wanted.has_rank()) {
    tensor->shape = tensor->shape.has_rank() ? better_known(tensor->shape, wanted) : wanted;
  }
  return machine.none();
}

Ref dtype(Machine& machine, Call& call)
{
  const Tensor* tensor = self(call);
  return tensor == nullptr || tensor->dtype.is_unknown()
             ? machine.unknown()
             : machine.string(std::string(tensor->dtype.text()));
}

Ref rank(Machine& machine, Call& call)
{
  const Tensor* tensor = self(call);
  const auto known = tensor != nullptr ? tensor->shape.rank() : std::nullopt;
  return known ? machine.integer(static_cast<int64_t>(*known))
               : machine.number(Interval::of(0, Interval::k_inf), true);
}

// numpy() and eval(): an array with the values.
Ref to_array(Machine& machine, Call& call)
{
  tf::check_feeds(machine, call);
  const Tensor* tensor = self(call);
  if (tensor == nullptr) {
    return machine.unknown();
  }
  Tensor* made = machine.like(call, *tensor);
  made->library = Library::numpy;
  made->requires_grad = Truth::no;
  return made;
}

// The same values, computed when they are asked for.
static Ref copy_of_self(Machine& machine, Call& call)
{
  const auto* tensor = as<Tensor>(call.self);
  return tensor != nullptr ? static_cast<Ref>(machine.like(call, *tensor)) : machine.unknown();
}

Ref as_list(Machine& machine, Call& call)
{
  const auto* sizes = as<Sequence>(call.self);
  if (sizes == nullptr) {
    return machine.unknown();
  }
  Sequence* made = machine.list(sizes->items);
  made->open = sizes->open;
  made->rest = sizes->rest;
  return made;
}

Ref tuple_length(Machine& machine, Call& call)
{
  const auto* sizes = as<Sequence>(call.self);
  return sizes != nullptr ? machine.integer(sizes->length()) : machine.unknown();
}

Ref tuple_product(Machine& machine, Call& call)
{
  const auto dims = machine.to_dims(call.self);
  return dims ? machine.integer(Shape::of(*dims).elements()) : machine.unknown();
}

Ref tensor_shape(Machine& machine, Call& call)
{
  const auto* sizes = as<Sequence>(call.arg("dims"));
  return sizes != nullptr ? machine.tuple(sizes->items) : machine.unknown();
}

constexpr Api type(std::string_view name)
{
  return {name, {}, Role::constant, "dtype"};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"tensorflow.Tensor", "", Role::object, "tensor"},
    attribute("tensorflow.Tensor.shape", shape),
    {"tensorflow.Tensor.get_shape", "", Role::method, {}, 0, shape},
    {"tensorflow.Tensor.set_shape", "shape", Role::method, {}, 0, set_shape},
    attribute("tensorflow.Tensor.dtype", dtype),
    attribute("tensorflow.Tensor.ndim", rank),
    attribute("tensorflow.Tensor.name"),
    attribute("tensorflow.Tensor.op"),
    attribute("tensorflow.Tensor.graph"),
    attribute("tensorflow.Tensor.device"),
    attribute("tensorflow.Tensor.trainable"),
    attribute("tensorflow.Tensor.values"),
    attribute("tensorflow.Tensor.indices"),
    attribute("tensorflow.Tensor.dense_shape"),
    attribute("tensorflow.Tensor.initializer", tf::operation),
    attribute("tensorflow.Tensor.initial_value", answers::itself),
    attribute("tensorflow.Tensor._keras_shape", shape),
    attribute("tensorflow.Tensor._keras_history"),
    attribute("tensorflow.Tensor._uses_learning_phase"),
    attribute("tensorflow.Tensor.path"),
    attribute("tensorflow.Tensor._shape", shape),
    {"tensorflow.Tensor.numpy", "", Role::method, "to_numpy", k_no_gradient, to_array},
    {"tensorflow.Tensor.eval", "feed_dict=None, session=None", Role::method, "to_numpy", k_no_gradient, to_array},
    {"tensorflow.Tensor.value", "", Role::method, {}, 0, answers::itself},
    {"tensorflow.Tensor.read_value", "", Role::method, {}, 0, answers::itself},
    {"tensorflow.Tensor.initialized_value", "", Role::method, {}, 0, copy_of_self},
    {"tensorflow.Tensor.assign", "value, use_locking=None, name=None, read_value=True", Role::method, "assign", 0, copy_of_self},
    {"tensorflow.Tensor.assign_add", "delta, use_locking=None, name=None, read_value=True", Role::method, "assign", 0, copy_of_self},
    {"tensorflow.Tensor.assign_sub", "delta, use_locking=None, name=None, read_value=True", Role::method, "assign", 0, copy_of_self},
    {"tensorflow.Tensor.load", "value, session=None", Role::opaque},
    {"tensorflow.Tensor.scatter_update", "sparse_delta, **kwargs", Role::opaque},
    {"tensorflow.Tensor.run", "feed_dict=None, session=None", Role::method, "session_run", 0, tf::nothing},
    {"tensorflow.Tensor.consumers", "", Role::opaque},
    {"tensorflow.Tensor.experimental_ref", "", Role::opaque},
    {"tensorflow.Tensor.ref", "", Role::opaque},
    {"tensorflow.Tensor.gpu", "", Role::method, {}, 0, answers::itself},
    {"tensorflow.Tensor.cpu", "", Role::method, {}, 0, answers::itself},
    {"tensorflow.Tensor.to_list", "", Role::opaque},
    {"tensorflow.Tensor.to_tensor", "default_value=None, name=None, shape=None", Role::method, {}, 0, answers::itself},
    {"tensorflow.Tensor.row_lengths", "axis=1, name=None", Role::opaque},

    {"tensorflow.TensorShape", "dims", Role::function, {}, 0, tensor_shape},
    {"tensorflow.Dimension", "value", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.TensorSpec", "shape, dtype='float32', name=None", Role::object},
    {"tensorflow.RaggedTensorSpec", "shape=None, dtype='float32', **kwargs", Role::object},
    {"tensorflow.SparseTensor", "indices, values, dense_shape", Role::opaque},
    {"tensorflow.IndexedSlices", "values, indices, dense_shape=None", Role::opaque},
    {"builtins.tuple.as_list", "", Role::method, {}, 0, as_list},
    {"builtins.tuple.num_elements", "", Role::method, {}, 0, tuple_product},
    {"builtins.tuple.with_rank", "rank", Role::method, {}, 0, answers::itself},
    {"builtins.tuple.with_rank_at_least", "rank", Role::method, {}, 0, answers::itself},
    {"builtins.tuple.is_compatible_with", "other", Role::opaque},
    {"builtins.tuple.assert_is_compatible_with", "other", Role::opaque},
    {"builtins.tuple.assert_has_rank", "rank", Role::opaque},
    {"builtins.tuple.is_fully_defined", "", Role::opaque},
    {"builtins.tuple.concatenate", "other", Role::opaque},
    attribute("builtins.tuple.ndims", tuple_length),
    attribute("builtins.tuple.rank", tuple_length),
    attribute("builtins.tuple.dims", as_list),
    attribute("builtins.int.value", answers::itself),

    type("tensorflow.float16"),
    type("tensorflow.bfloat16"),
    type("tensorflow.float32"),
    type("tensorflow.float64"),
    type("tensorflow.half"),
    type("tensorflow.double"),
    type("tensorflow.int8"),
    type("tensorflow.int16"),
    type("tensorflow.int32"),
    type("tensorflow.int64"),
    type("tensorflow.uint8"),
    type("tensorflow.uint16"),
    type("tensorflow.uint32"),
    type("tensorflow.uint64"),
    type("tensorflow.qint8"),
    type("tensorflow.quint8"),
    type("tensorflow.bool"),
    type("tensorflow.string"),
    type("tensorflow.complex64"),
    type("tensorflow.complex128"),
    type("tensorflow.resource"),
    type("tensorflow.variant"),
    {"tensorflow.as_dtype", "type_value", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.DType", "type_enum", Role::function, {}, 0, tf::first_argument},
};
// clang-format on

} // namespace

std::span<const Api> tf_tensor()
{
  return k_rows;
}

} // namespace faultline::program
