// keras.backend (K.*) and keras.ops.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/tensorflow/rows.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using tf::argument;
using tf::operand;
using tf::result;

Ref dot(Machine& machine, Call& call)
{
  const Tensor* a = operand(machine, argument(call, 0));
  const Tensor* b = operand(machine, argument(call, 1));
  const Shape shape = tf::checked(machine, call, dot_product(a->shape, b->shape), call.span);
  const bool learns = a->requires_grad == Truth::yes || b->requires_grad == Truth::yes;
  return result(machine, call, shape, a->dtype, learns ? Interval::reals() : Interval::top());
}

Ref batch_dot(Machine& machine, Call& call)
{
  const Tensor* a = operand(machine, argument(call, 0));
  return result(machine, call, Shape::top(), a->dtype);
}

Ref flatten(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return tf::moved(machine, call, *x, Shape::of({x->shape.elements()}));
}

Ref batch_flatten(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Shape shape = x->shape.rank() >= 2 ? flattened(x->shape, 1, -1).shape : Shape::of_rank(2);
  return tf::moved(machine, call, *x, shape);
}

Ref repeat(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const Shape shape = x->shape.rank() == 2 ? x->shape.inserted(1, machine.to_dim(argument(call, 1)))
                                           : Shape::of_rank(3);
  return tf::moved(machine, call, *x, shape);
}

Ref repeat_elements(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto count = machine.to_int(argument(call, 1));
  const auto axis = machine.to_int(argument(call, 2));
  const Shape shape = count && axis
                          ? x->shape.with(*axis, x->shape.at(*axis).times(Dim::constant(*count)))
                          : Shape::top();
  return tf::moved(machine, call, *x, shape);
}

// (None, 28, 28): the batch is not known to Keras.
Ref int_shape(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  if (!x->shape.has_rank()) {
    return machine.unknown();
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : x->shape.dims()) {
    sizes.push_back(dim == Dim::batch() ? machine.none() : machine.integer(dim));
  }
  return machine.tuple(std::move(sizes));
}

Ref symbolic_shape(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  if (!x->shape.has_rank()) {
    return machine.unknown();
  }
  std::vector<Ref> sizes;
  for (const Dim& dim : x->shape.dims()) {
    sizes.push_back(machine.integer(dim));
  }
  return machine.tuple(std::move(sizes));
}

Ref ndim(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  const auto rank = x->shape.rank();
  return rank ? machine.integer(static_cast<int64_t>(*rank))
              : machine.number(Interval::of(0, Interval::k_inf), true);
}

Ref placeholder(Machine& machine, Call& call)
{
  const Ref sizes = call.arg("shape");
  const auto rank = machine.to_int(call.arg("ndim"));
  Shape shape = sizes != nullptr && !machine.is_none(sizes) ? tf::shape_of(machine, sizes, true)
                                                            : Shape::top();
  constexpr int64_t k_highest = 16;
  if (!shape.has_rank() && rank && *rank >= 0 && *rank < k_highest) {
    shape = Shape::of_rank(static_cast<size_t>(*rank));
  }
  Tensor* made = result(machine, call, shape, DType::Kind::float32);
  made->library = Library::keras;
  made->requires_grad = Truth::no;
  return made;
}

// What keras.json says on the user's machine; the default unless the program sets it.
Ref image_data_format(Machine& machine, Call& call)
{
  const bool first = keras::channels_first(machine, call);
  const bool old = call.name.ends_with("image_dim_ordering");
  const Ref format =
      machine.string(old ? (first ? "th" : "tf") : (first ? "channels_first" : "channels_last"));
  format->assumed = true;
  return format;
}

Ref floatx(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.string("float32");
}

Ref backend_name(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.string("tensorflow");
}

Ref epsilon(Machine& machine, Call& call)
{
  static_cast<void>(call);
  return machine.real(1e-7);
}

// K.function([inputs], [outputs]): arrays in, arrays out.
Ref call_function(Machine& machine, Call& call)
{
  const Ref outputs = call.layer != nullptr && call.layer->made_by != nullptr
                          ? call.layer->made_by->arg("outputs")
                          : nullptr;
  std::vector<Ref> arrays;
  for (const Ref output : machine.items_of(outputs)) {
    const Tensor* tensor = operand(machine, output);
    arrays.push_back(keras::array(machine, call, tensor->shape, tensor->dtype, tensor->interval));
  }
  return arrays.empty() ? machine.unknown() : machine.list(std::move(arrays));
}

Ref get_value(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  Tensor* made = machine.like(call, *x);
  made->library = Library::numpy;
  made->requires_grad = Truth::no;
  return made;
}

// One of both, as the phase or a condition decides.
Ref either(Machine& machine, Call& call)
{
  const bool has_condition = call.name.ends_with("switch");
  Ref both = nullptr;
  for (size_t i = has_condition ? 1 : 0; i < (has_condition ? 3 : 2); ++i) {
    Ref value = argument(call, i);
    if (value == nullptr) {
      continue;
    }
    if (value->kind == Kind::function) {
      value = machine.call(value, std::vector<Ref>{}, call.span);
    }
    both = both == nullptr ? value : machine.join(both, value);
  }
  return both != nullptr ? both : machine.unknown();
}

Ref one_hot(Machine& machine, Call& call)
{
  return tf::one_hot(machine, call);
}

Ref any_tensor(Machine& machine, Call& call)
{
  const Tensor* x = operand(machine, argument(call, 0));
  return result(machine,
                call,
                x->shape.has_rank() ? Shape::of_rank(*x->shape.rank()) : Shape::top(),
                x->dtype);
}

Ref ctc_cost(Machine& machine, Call& call)
{
  const Argument* target = call.argument("y_true");
  const Argument* prediction = call.argument("y_pred");
  tf::note_loss(machine, call, LossInput::probabilities, prediction, target);
  return result(machine,
                call,
                Shape::of({Dim::batch(), Dim::constant(1)}),
                DType::Kind::float32,
                Interval::of(0, Interval::k_inf));
}

constexpr Api one(std::string_view name, std::string_view op, uint32_t traits = k_elementwise)
{
  return {name, "x, **kwargs", Role::function, op, traits, tf::unary};
}
constexpr Api
two(std::string_view name, std::string_view op, std::string_view signature = "x, y, **kwargs")
{
  return {name, signature, Role::function, op, k_elementwise, tf::binary};
}
constexpr Api
act(std::string_view name, std::string_view op, std::string_view signature = "x, **kwargs")
{
  return tf::activates(name, op, signature);
}
constexpr Api compare(std::string_view name, std::string_view op)
{
  return {name, "x, y", Role::function, op, tf::k_step, tf::comparison};
}
constexpr Api reduce(std::string_view name, std::string_view op)
{
  return {name,
          "x, axis=None, keepdims=False, **kwargs",
          Role::function,
          op,
          k_reduction,
          tf::reduction};
}
constexpr Api loss_row(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::loss_function, op, 0, keras::loss};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    one("keras.backend.abs", "abs"),
    one("keras.backend.absolute", "abs"),
    one("keras.backend.negative", "neg"),
    one("keras.backend.sqrt", "sqrt"),
    one("keras.backend.rsqrt", "rsqrt"),
    one("keras.backend.exp", "exp"),
    one("keras.backend.expm1", "expm1"),
    one("keras.backend.log", "log"),
    one("keras.backend.log1p", "log1p"),
    one("keras.backend.log2", "log2"),
    one("keras.backend.log10", "log10"),
    one("keras.backend.reciprocal", "reciprocal"),
    one("keras.backend.square", "square"),
    one("keras.backend.sin", "sin"),
    one("keras.backend.cos", "cos"),
    one("keras.backend.erf", "erf"),
    one("keras.backend.arccos", "acos"),
    one("keras.backend.arcsin", "asin"),
    one("keras.backend.round", "round", tf::k_step),
    one("keras.backend.floor", "floor", tf::k_step),
    one("keras.backend.ceil", "ceil", tf::k_step),
    one("keras.backend.sign", "sign", tf::k_step),
    two("keras.backend.add", "add"),
    two("keras.backend.subtract", "sub"),
    two("keras.backend.multiply", "mul"),
    two("keras.backend.divide", "div"),
    two("keras.backend.true_divide", "div"),
    two("keras.backend.divide_no_nan", "div_no_nan"),
    two("keras.backend.power", "pow"),
    two("keras.backend.pow", "pow", "x, a"),
    two("keras.backend.maximum", "maximum"),
    two("keras.backend.minimum", "minimum"),
    compare("keras.backend.equal", "equal"),
    compare("keras.backend.not_equal", "not_equal"),
    compare("keras.backend.less", "less"),
    compare("keras.backend.lesser", "less"),
    compare("keras.backend.less_equal", "less_equal"),
    compare("keras.backend.lesser_equal", "less_equal"),
    compare("keras.backend.greater", "greater"),
    compare("keras.backend.greater_equal", "greater_equal"),
    compare("keras.backend.logical_and", "logical_and"),
    compare("keras.backend.logical_or", "logical_or"),
    {"keras.backend.logical_not", "x", Role::function, "logical_not", tf::k_step, tf::comparison},
    {"keras.backend.isnan", "x", Role::function, "is_nan", tf::k_step, tf::comparison},
    {"keras.backend.clip", "x, min_value, max_value", Role::function, "clip", k_elementwise, tf::clip},
    {"keras.backend.where", "condition, x=None, y=None", Role::function, "where", 0, tf::where},
    act("keras.backend.relu", "relu", "x, alpha=0.0, max_value=None, threshold=0.0"),
    act("keras.backend.elu", "elu", "x, alpha=1.0"),
    act("keras.backend.softmax", "softmax", "x, axis=-1"),
    act("keras.backend.log_softmax", "log_softmax", "x, axis=-1"),
    act("keras.backend.softplus", "softplus"),
    act("keras.backend.softsign", "softsign"),
    act("keras.backend.sigmoid", "sigmoid"),
    act("keras.backend.hard_sigmoid", "hard_sigmoid"),
    act("keras.backend.log_sigmoid", "log_sigmoid"),
    act("keras.backend.tanh", "tanh"),
    act("keras.backend.gelu", "gelu"),
    act("keras.backend.silu", "swish"),
    {"keras.backend.dropout", "x, level, noise_shape=None, seed=None", Role::function, "dropout", k_dropping | k_elementwise, tf::same},
    {"keras.backend.l2_normalize", "x, axis=None", Role::function, "l2_normalize", k_elementwise},
    {"keras.backend.normalize", "x, axis=-1, order=2", Role::function, "l2_normalize", k_elementwise},
    {"keras.backend.batch_normalization", "x, mean, var, beta, gamma, axis=-1, epsilon=0.001", Role::function, "batch_norm", k_normalising, any_tensor},
    {"keras.backend.normalize_batch_in_training", "x, gamma, beta, reduction_axes, epsilon=0.001", Role::function, "batch_norm", k_normalising},
    reduce("keras.backend.sum", "reduce_sum"),
    reduce("keras.backend.mean", "reduce_mean"),
    reduce("keras.backend.max", "reduce_max"),
    reduce("keras.backend.min", "reduce_min"),
    reduce("keras.backend.prod", "reduce_prod"),
    reduce("keras.backend.std", "reduce_std"),
    reduce("keras.backend.var", "reduce_var"),
    reduce("keras.backend.any", "reduce_any"),
    reduce("keras.backend.all", "reduce_all"),
    reduce("keras.backend.logsumexp", "logsumexp"),
    reduce("keras.backend.norm", "norm"),
    {"keras.backend.argmax", "x, axis=-1", Role::function, "argmax", k_reduction | k_no_gradient, tf::arg_reduction},
    {"keras.backend.argmin", "x, axis=-1", Role::function, "argmin", k_reduction | k_no_gradient, tf::arg_reduction},
    {"keras.backend.cumsum", "x, axis=0", Role::function, "cumsum", 0, tf::unary},
    {"keras.backend.cumprod", "x, axis=0", Role::function, "cumprod", 0, tf::unary},
    {"keras.backend.moments", "x, axes, **kwargs", Role::function, "moments", k_reduction},
    {"keras.backend.dot", "x, y", Role::function, "matmul", 0, dot},
    {"keras.backend.matmul", "x, y", Role::function, "matmul", 0, tf::matmul},
    {"keras.backend.batch_dot", "x, y, axes=None", Role::function, "matmul", 0, batch_dot},
    {"keras.backend.einsum", "subscripts, *operands, **kwargs", Role::function, "einsum"},

    tf::moves("keras.backend.reshape", "x, shape", "reshape", tf::reshape),
    tf::moves("keras.backend.permute_dimensions", "x, pattern", "permute", tf::transpose),
    tf::moves("keras.backend.transpose", "x, axes=None", "permute", tf::transpose),
    tf::moves("keras.backend.expand_dims", "x, axis=-1", "expand_dims", tf::expand_dims),
    tf::moves("keras.backend.squeeze", "x, axis=None", "squeeze", tf::squeeze),
    tf::moves("keras.backend.flatten", "x", "flatten", flatten),
    tf::moves("keras.backend.ravel", "x", "flatten", flatten),
    tf::moves("keras.backend.batch_flatten", "x", "flatten", batch_flatten),
    tf::moves("keras.backend.concatenate", "tensors, axis=-1", "concat", tf::concat),
    tf::moves("keras.backend.stack", "x, axis=0", "stack", tf::stack),
    tf::moves("keras.backend.unstack", "x, num=None, axis=0", "unstack", tf::unstack),
    tf::moves("keras.backend.split", "x, indices_or_sections, axis=0", "split", tf::split),
    tf::moves("keras.backend.repeat", "x, n", "repeat", repeat),
    tf::moves("keras.backend.repeat_elements", "x, rep, axis", "repeat", repeat_elements),
    tf::moves("keras.backend.tile", "x, n", "tile", tf::tile),
    tf::moves("keras.backend.gather", "reference, indices", "gather", tf::gather),
    tf::moves("keras.backend.take", "x, indices, axis=None", "gather", tf::gather),
    tf::moves("keras.backend.reverse", "x, axes", "flip", tf::same),
    tf::moves("keras.backend.flip", "x, axis=None", "flip", tf::same),
    tf::moves("keras.backend.slice", "x, start, size", "slice", any_tensor),
    tf::moves("keras.backend.temporal_padding", "x, padding=(1, 1)", "pad", any_tensor),
    tf::moves("keras.backend.spatial_2d_padding", "x, padding=((1, 1), (1, 1)), data_format=None", "pad", any_tensor),
    tf::moves("keras.backend.pad", "x, pad_width, **kwargs", "pad", any_tensor),
    tf::moves("keras.backend.resize_images", "x, height_factor, width_factor, data_format=None, **kwargs", "upsample", any_tensor),
    {"keras.backend.cast", "x, dtype", Role::function, "cast", k_elementwise | k_reshaping, tf::cast},
    {"keras.backend.cast_to_floatx", "x, dtype='float32'", Role::function, "cast", k_elementwise | k_reshaping, tf::cast},
    {"keras.backend.identity", "x, name=None", Role::function, "identity", k_elementwise | k_reshaping, tf::same},
    {"keras.backend.print_tensor", "x, message='', **kwargs", Role::function, "identity", k_elementwise | k_reshaping, tf::same},
    {"keras.backend.stop_gradient", "variables", Role::function, "detach", k_elementwise | k_reshaping | k_no_gradient, tf::same},
    {"keras.backend.one_hot", "indices, num_classes, axis=-1, dtype=None", Role::function, "one_hot", k_no_gradient, one_hot},

    tf::makes("keras.backend.variable", "value, dtype='float32', name=None, constraint=None", "variable", tf::variable),
    tf::makes("keras.backend.Variable", "value, dtype=None, trainable=True, **kwargs", "variable", tf::variable),
    tf::makes("keras.backend.constant", "value, dtype='float32', shape=None, name=None", "constant", tf::constant),
    tf::makes("keras.backend.convert_to_tensor", "x, dtype=None, **kwargs", "from_array", tf::constant),
    tf::makes("keras.backend.placeholder", "shape=None, ndim=None, dtype=None, sparse=False, name=None", "placeholder", placeholder),
    tf::makes("keras.backend.zeros", "shape, dtype=None, name=None", "zeros", tf::filled),
    tf::makes("keras.backend.ones", "shape, dtype=None, name=None", "ones", tf::filled),
    tf::makes("keras.backend.zeros_like", "x, dtype=None, name=None", "zeros", tf::like),
    tf::makes("keras.backend.ones_like", "x, dtype=None, name=None", "ones", tf::like),
    tf::makes("keras.backend.eye", "size, dtype=None, name=None", "eye", nullptr),
    tf::makes("keras.backend.arange", "start, stop=None, step=1, dtype='int32'", "arange", nullptr),
    tf::makes("keras.backend.random_normal", "shape, mean=0.0, stddev=1.0, dtype=None, seed=None", "random_normal", tf::filled, k_source | k_random),
    tf::makes("keras.backend.truncated_normal", "shape, mean=0.0, stddev=1.0, dtype=None, seed=None", "truncated_normal", tf::filled, k_source | k_random),
    tf::makes("keras.backend.random_uniform", "shape, minval=0.0, maxval=1.0, dtype=None, seed=None", "random_uniform", tf::filled, k_source | k_random),
    tf::makes("keras.backend.random_binomial", "shape, p=0.0, dtype=None, seed=None", "random_uniform", tf::filled, k_source | k_random),
    tf::makes("keras.backend.random_normal_variable", "shape, mean, scale, dtype=None, name=None, seed=None", "random_normal", tf::filled, k_source | k_random),
    tf::makes("keras.backend.random_uniform_variable", "shape, low, high, dtype=None, name=None, seed=None", "random_uniform", tf::filled, k_source | k_random),

    loss_row("keras.backend.categorical_crossentropy", "loss.categorical", "target, output, from_logits=False, axis=-1"),
    loss_row("keras.backend.sparse_categorical_crossentropy", "loss.sparse_categorical", "target, output, from_logits=False, axis=-1"),
    loss_row("keras.backend.binary_crossentropy", "loss.binary", "target, output, from_logits=False"),
    {"keras.backend.ctc_batch_cost", "y_true, y_pred, input_length, label_length", Role::loss_function, "loss.ctc", 0, ctc_cost},
    {"keras.backend.ctc_decode", "y_pred, input_length, greedy=True, beam_width=100, top_paths=1", Role::opaque},
    {"keras.backend.ctc_label_dense_to_sparse", "labels, label_lengths", Role::opaque},

    {"keras.backend.shape", "x", Role::function, "shape", k_no_gradient, symbolic_shape},
    {"keras.backend.int_shape", "x", Role::function, "shape", k_no_gradient, int_shape},
    {"keras.backend.ndim", "x", Role::function, "rank", k_no_gradient, ndim},
    {"keras.backend.dtype", "x", Role::opaque},
    {"keras.backend.image_data_format", "", Role::function, {}, 0, image_data_format},
    {"keras.backend.image_dim_ordering", "", Role::function, {}, 0, image_data_format},
    {"keras.backend.set_image_data_format", "data_format", Role::function, {}, 0, tf::nothing},
    {"keras.backend.set_image_dim_ordering", "dim_ordering", Role::function, {}, 0, tf::nothing},
    {"keras.backend.common.image_dim_ordering", "", Role::function, {}, 0, image_data_format},
    {"keras.backend.floatx", "", Role::function, {}, 0, floatx},
    {"keras.backend.set_floatx", "floatx", Role::function, {}, 0, tf::nothing},
    {"keras.backend.epsilon", "", Role::function, {}, 0, epsilon},
    {"keras.backend.set_epsilon", "value", Role::function, {}, 0, tf::nothing},
    {"keras.backend.backend", "", Role::function, {}, 0, backend_name},
    {"keras.backend._BACKEND", {}, Role::attribute, {}, 0, backend_name},
    {"keras.backend.learning_phase", "", Role::opaque},
    {"keras.backend.set_learning_phase", "value", Role::function, "set_learning_phase", 0, tf::nothing},
    {"keras.backend.clear_session", "free_memory=True", Role::function, "clear_session", 0, tf::nothing},
    {"keras.backend.get_session", "op_input_list=()", Role::object, "session", 0, nullptr, "tensorflow.Session"},
    {"keras.backend.set_session", "session", Role::function, {}, 0, tf::nothing},
    {"keras.backend.get_value", "x", Role::function, "to_numpy", k_no_gradient, get_value},
    {"keras.backend.eval", "x", Role::function, "to_numpy", k_no_gradient, get_value},
    {"keras.backend.convert_to_numpy", "x", Role::function, "to_numpy", k_no_gradient, get_value},
    {"keras.backend.set_value", "x, value", Role::function, "set_value", 0, tf::nothing},
    {"keras.backend.batch_get_value", "ops", Role::opaque},
    {"keras.backend.batch_set_value", "tuples", Role::function, "set_value", 0, tf::nothing},
    {"keras.backend.update", "x, new_x", Role::opaque},
    {"keras.backend.update_add", "x, increment", Role::opaque},
    {"keras.backend.update_sub", "x, decrement", Role::opaque},
    {"keras.backend.moving_average_update", "x, value, momentum", Role::opaque},
    {"keras.backend.gradients", "loss, variables", Role::function, "grad_of", 0, tf::gradients},
    {"keras.backend.function", "inputs, outputs, updates=None, **kwargs", Role::object, "backend_function"},
    {"keras.backend.function.__call__", "inputs=None", Role::method, "backend_function", k_no_gradient, call_function},
    {"keras.backend.switch", "condition, then_expression, else_expression", Role::function, "where", 0, either},
    {"keras.backend.cond", "pred, true_fn, false_fn", Role::function, "where", 0, nullptr},
    {"keras.backend.in_train_phase", "x, alt, training=None", Role::function, "where", 0, either},
    {"keras.backend.in_test_phase", "x, alt, training=None", Role::function, "where", 0, either},
    {"keras.backend.rnn", "step_function, inputs, initial_states, **kwargs", Role::opaque},
    {"keras.backend.map_fn", "fn, elems, name=None, dtype=None", Role::opaque},
    {"keras.backend.foldl", "fn, elems, initializer=None, name=None", Role::opaque},
    {"keras.backend.conv1d", "x, kernel, strides=1, padding='valid', **kwargs", Role::layer_function, "conv", k_convolution, any_tensor, {}, 1},
    {"keras.backend.conv2d", "x, kernel, strides=(1, 1), padding='valid', **kwargs", Role::layer_function, "conv", k_convolution, any_tensor, {}, 2},
    {"keras.backend.conv3d", "x, kernel, strides=(1, 1, 1), padding='valid', **kwargs", Role::layer_function, "conv", k_convolution, any_tensor, {}, 3},
    {"keras.backend.conv2d_transpose", "x, kernel, output_shape, **kwargs", Role::layer_function, "conv", k_convolution | k_transposed, any_tensor, {}, 2},
    {"keras.backend.depthwise_conv2d", "x, depthwise_kernel, **kwargs", Role::layer_function, "depthwise_conv", k_convolution, any_tensor, {}, 2},
    {"keras.backend.pool2d", "x, pool_size, strides=(1, 1), padding='valid', **kwargs", Role::function, "max_pool", k_pooling, any_tensor, {}, 2},
    {"keras.backend.bias_add", "x, bias, data_format=None", Role::function, "add", k_elementwise, any_tensor},
    {"keras.backend.in_top_k", "predictions, targets, k", Role::opaque},
    {"keras.backend.is_keras_tensor", "x", Role::opaque},
    {"keras.backend.is_tensor", "x", Role::opaque},
    {"keras.backend.is_sparse", "tensor", Role::opaque},
    {"keras.backend.count_params", "x", Role::opaque},
    {"keras.backend.name_scope", "name", Role::scope, "name_scope"},
    {"keras.backend.get_uid", "prefix=''", Role::opaque},
    {"keras.backend.reset_uids", "", Role::opaque},
    {"keras.backend.manual_variable_initialization", "value", Role::opaque},
    {"keras.backend.permute", "x, pattern", Role::opaque},
    {"keras.backend.size", "x", Role::opaque},
};
// clang-format on

} // namespace

std::span<const Api> keras_backend()
{
  return k_rows;
}

} // namespace faultline::program
