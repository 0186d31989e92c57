// Graphs and sessions of TensorFlow 1, variables and scopes, control flow, GradientTape.

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/shared/structure.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/values/walk.hpp"

#include <algorithm>

namespace faultline::program {

namespace {

using tf::argument;
using tf::operand;
using tf::result;

Ref any_tensor(Machine& machine, Call& call)
{
  return result(machine, call, Shape::top());
}

Ref scalar(Machine& machine, Call& call)
{
  return result(machine, call, Shape::scalar(), DType::Kind::float32);
}

Ref counter(Machine& machine, Call& call)
{
  Tensor* made =
      result(machine, call, Shape::scalar(), DType::Kind::int64, Interval::of(0, Interval::k_inf));
  made->requires_grad = Truth::no;
  return made;
}

Ref variables(Machine& machine, Call& call)
{
  Tensor* one = result(machine, call, Shape::top(), DType::Kind::float32, Interval::top());
  one->requires_grad = Truth::yes;
  one->leaf = Truth::yes;
  return machine.open_list(one);
}

// A tensor as the session hands it back: an array. How large a batch was is not known.
Tensor* fetched_tensor(Machine& machine, Call& call, const Tensor& tensor)
{
  Shape shape = tensor.shape;
  if (shape.has_rank()) {
    for (size_t i = 0; i < *shape.rank(); ++i) {
      if (!shape.dims()[i].constant()) {
        shape = shape.with(static_cast<int64_t>(i), Dim::top());
      }
    }
  }
  Tensor* made = machine.tensor(call, shape, tensor.dtype, tensor.interval);
  made->library = Library::numpy;
  made->encoding = tensor.encoding;
  made->classes = tensor.classes;
  made->requires_grad = Truth::no;
  return made;
}

Ref fetched(Machine& machine, Call& call, Ref fetch)
{
  return walk(fetch, machine.unknown(), [&](Ref one, auto& into) -> Ref {
    if (const auto* tensor = as<Tensor>(one)) {
      return fetched_tensor(machine, call, *tensor);
    }
    if (const auto* list = as<Sequence>(one)) {
      Sequence* made = machine.list(map_items(*list, into));
      made->open = list->open;
      made->rest = list->open ? machine.unknown() : nullptr;
      return made;
    }
    if (const auto* dict = as<Dict>(one)) {
      return map_values(machine, *dict, into);
    }
    return as<Instance>(one) != nullptr ? machine.none() : machine.unknown();
  });
}

Ref run(Machine& machine, Call& call)
{
  tf::check_feeds(machine, call);
  const Ref fetches = call.arg("fetches");
  return fetches != nullptr ? fetched(machine, call, fetches) : machine.unknown();
}

Ref run_operation(Machine& machine, Call& call)
{
  tf::check_feeds(machine, call);
  return machine.none();
}

// A variable of integers has no gradient. Casts cut the way on purpose.
void check_variables(Machine& machine, const Tensor* loss)
{
  constexpr size_t k_most = 2000;
  std::vector<const Tensor*> open{loss};
  std::vector<const Call*> seen;
  while (!open.empty() && seen.size() < k_most) {
    const Tensor* tensor = open.back();
    open.pop_back();
    const Call* made = tensor != nullptr ? tensor->producer : nullptr;
    if (made == nullptr || made->is("cast") || made->has(k_no_gradient) ||
        std::find(seen.begin(), seen.end(), made) != seen.end()) {
      continue;
    }
    seen.push_back(made);
    if (made->is("variable")) {
      const bool frozen = !machine.truthiness(made->arg("trainable")).value_or(true);
      if (tensor->dtype.is_integer() && !frozen) {
        Problem& problem = machine.problem(
            ProblemKind::integer_variable,
            made->span,
            format("this variable is {}, so training cannot change it", tensor->dtype.text()),
            made);
        problem.help = "give it a float as its first value";
      }
      continue;
    }
    for (const Tensor* input : made->inputs()) {
      open.push_back(input);
    }
  }
}

Ref minimize(Machine& machine, Call& call)
{
  if (const auto* loss = as<Tensor>(call.arg("loss"))) {
    check_variables(machine, loss);
  }
  return tf::operation(machine, call);
}

Ref compute_gradients(Machine& machine, Call& call)
{
  Tensor* gradient = result(machine, call, Shape::top(), DType::Kind::float32);
  Tensor* weight = result(machine, call, Shape::top(), DType::Kind::float32);
  weight->requires_grad = Truth::yes;
  return machine.open_list(machine.tuple({gradient, weight}));
}

Ref conditional(Machine& machine, Call& call)
{
  Ref both = nullptr;
  for (const auto& names : {std::pair("true_fn", "fn1"), std::pair("false_fn", "fn2")}) {
    const Ref function = tf::option(call, {names.first, names.second});
    if (function == nullptr || machine.is_none(function)) {
      continue;
    }
    const Ref value = machine.call(function, std::vector<Ref>{}, call.span);
    both = both == nullptr ? value : machine.join(both, value);
  }
  return both != nullptr ? both : machine.unknown();
}

// The body once, so that what is wrong in it is seen.
Ref while_loop(Machine& machine, Call& call)
{
  const Ref body = call.arg("body");
  const auto* start = as<Sequence>(call.arg("loop_vars"));
  if (body == nullptr || start == nullptr || start->open) {
    return machine.unknown();
  }
  if (const Ref condition = call.arg("cond")) {
    machine.call(condition, start->items, call.span);
  }
  const Ref after = machine.call(body, start->items, call.span);
  const auto* ends = as<Sequence>(after);
  std::vector<Ref> values;
  for (size_t i = 0; i < start->items.size(); ++i) {
    const Ref end = ends != nullptr && i < ends->items.size() ? ends->items[i]
                    : start->items.size() == 1                ? after
                                                              : machine.unknown();
    values.push_back(machine.join(start->items[i], end));
  }
  return values.size() == 1 ? values.front() : machine.list(std::move(values));
}

// fn on each row, and the results stacked again.
Ref map_fn(Machine& machine, Call& call)
{
  const Ref function = call.arg("fn");
  const Ref elements = call.arg("elems");
  const auto* x = as<Tensor>(elements);
  if (function == nullptr || x == nullptr) {
    return any_tensor(machine, call);
  }
  Tensor* row =
      tf::moved(machine, call, *x, x->shape.rank() >= 1 ? x->shape.behind(1) : Shape::top());
  const Ref value = machine.call(function, std::vector<Ref>{row}, call.span);
  const auto* one = as<Tensor>(value);
  if (one == nullptr) {
    return any_tensor(machine, call);
  }
  return tf::moved(machine,
                   call,
                   *one,
                   x->shape.rank() >= 1 ? Shape::of({x->shape.at(0)}).plus(one->shape)
                                        : Shape::top());
}

Ref get_variable(Machine& machine, Call& call)
{
  const Ref initial = call.arg("initializer");
  const Ref sizes = call.arg("shape");
  const bool from_array =
      (sizes == nullptr || machine.is_none(sizes)) && as<Tensor>(initial) != nullptr;
  const bool trainable = machine.truthiness(call.arg("trainable")).value_or(true);
  const Shape shape = from_array ? as<Tensor>(initial)->shape : tf::shape_of(machine, sizes);
  const Ref type = call.arg("dtype");
  const DType dtype = type != nullptr && !machine.is_none(type)
                          ? tf::to_dtype(machine, type).value_or(DType())
                          : DType(DType::Kind::float32);
  Tensor* made =
      result(machine, call, shape, dtype, trainable ? Interval::reals() : Interval::top());
  made->library = Library::tensorflow;
  made->requires_grad = trainable ? Truth::yes : Truth::no;
  made->leaf = Truth::yes;
  return made;
}

// assign(ref, value): a new value for a variable, whose shape stays.
Ref assign(Machine& machine, Call& call)
{
  const Tensor* variable = operand(machine, argument(call, 0));
  const Tensor* value = operand(machine, argument(call, 1));
  const bool loose = call.arg("validate_shape") != nullptr &&
                     !machine.truthiness(call.arg("validate_shape")).value_or(true);
  if (!loose && !call.is("add") &&
      variable->shape.compare(value->shape) == Dim::Comparison::different) {
    machine.problem(ProblemKind::weights_shape,
                    tf::argument_span(call, 1),
                    format("a value of shape {} is assigned to a variable of shape {}",
                           value->shape.text(),
                           variable->shape.text()),
                    &call);
  }
  return tf::moved(machine, call, *variable, variable->shape);
}

// With `many`, the first axis counts samples already.
Ref as_batches(Machine& machine, Call& call, Ref value, Dim count, bool many)
{
  return walk(value, machine.unknown(), [&](Ref one, auto& into) -> Ref {
    if (const auto* list = as<Sequence>(one)) {
      Sequence* made = machine.list(map_items(*list, into));
      made->open = list->open;
      return made;
    }
    const Tensor* tensor = operand(machine, one);
    const Shape item = !many                       ? tensor->shape
                       : tensor->shape.rank() >= 1 ? tensor->shape.behind(1)
                                                   : Shape::top();
    return tf::moved(machine, call, *tensor, Shape::of({count}).plus(item));
  });
}

// tf.train.batch and shuffle_batch: an axis in front.
Ref queue_batch(Machine& machine, Call& call)
{
  const Ref tensors = argument(call, 0);
  const Argument* many = call.keyword("enqueue_many");
  const bool is_many = many != nullptr && machine.truthiness(many->value).value_or(false);
  return tensors != nullptr
             ? as_batches(machine, call, tensors, machine.to_dim(call.arg("batch_size")), is_many)
             : machine.unknown();
}

// Takes arrays apart along their first axis.
Ref queue_slices(Machine& machine, Call& call)
{
  std::vector<Ref> items;
  for (const Ref item : machine.items_of(argument(call, 0))) {
    const Tensor* tensor = operand(machine, item);
    items.push_back(tf::moved(machine,
                              call,
                              *tensor,
                              tensor->shape.rank() >= 1 ? tensor->shape.behind(1) : Shape::top()));
  }
  return machine.list(std::move(items));
}

Ref decode_csv(Machine& machine, Call& call)
{
  const auto* defaults = as<Sequence>(call.arg("record_defaults"));
  if (defaults == nullptr || defaults->open) {
    return machine.open_list(result(machine, call, Shape::scalar()));
  }
  const Tensor* records = operand(machine, argument(call, 0));
  std::vector<Ref> columns;
  for (const Ref item : defaults->items) {
    const Tensor* fallback = machine.to_tensor(item);
    DType dtype = fallback != nullptr ? fallback->dtype : DType();
    dtype = dtype == DType(DType::Kind::int64)     ? DType(DType::Kind::int32)
            : dtype == DType(DType::Kind::float64) ? DType(DType::Kind::float32)
                                                   : dtype;
    columns.push_back(result(machine, call, records->shape, dtype));
  }
  return machine.list(std::move(columns));
}

Ref decode_raw(Machine& machine, Call& call)
{
  const Tensor* bytes = operand(machine, argument(call, 0));
  return result(machine,
                call,
                bytes->shape.plus(Shape::of({Dim::top()})),
                tf::to_dtype(machine, call.arg("out_type")).value_or(DType()));
}

Ref session_graph(Machine& machine, Call& call)
{
  return machine.instance(*find_api("tensorflow.Graph"), &call);
}

constexpr std::string_view k_optimizer = "tensorflow.train.Optimizer";

constexpr Api optimizer(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::optimizer, op, 0, nullptr, k_optimizer};
}
constexpr Api initializer(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::initializer, op, 0, nullptr, "keras.initializers.Initializer"};
}
constexpr Api
scope(std::string_view name, std::string_view signature, std::string_view op = "scope")
{
  return {name, signature, Role::scope, op};
}
constexpr Api does(std::string_view name,
                   std::string_view signature,
                   std::string_view op,
                   Role role = Role::function)
{
  return {name, signature, role, op, 0, tf::operation};
}
constexpr Api collection(std::string_view name)
{
  return {name, "scope=None", Role::function, {}, 0, variables};
}

constexpr std::string_view k_normal = "mean=0.0, stddev=1.0, seed=None, dtype='float32'";
constexpr std::string_view k_rate = "learning_rate, global_step, decay_steps, decay_rate=None, "
                                    "staircase=False, name=None, **kwargs";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"tensorflow.placeholder", "dtype, shape=None, name=None", Role::function, "placeholder", k_source, tf::placeholder},
    {"tensorflow.placeholder_with_default", "input, shape, name=None", Role::function, "placeholder", k_source, tf::placeholder},
    {"tensorflow.sparse_placeholder", "dtype, shape=None, name=None", Role::function, "placeholder", k_source, tf::placeholder},
    {"tensorflow.Variable", "initial_value=None, trainable=True, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, expected_shape=None, import_scope=None, constraint=None, shape=None, **kwargs", Role::function, "variable", k_source, tf::variable},
    {"tensorflow.get_variable", "name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True, collections=None, **kwargs", Role::function, "variable", k_source, get_variable},
    {"tensorflow.get_local_variable", "name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=False, **kwargs", Role::function, "variable", k_source, get_variable},
    {"tensorflow.assign", "ref, value, validate_shape=None, use_locking=None, name=None", Role::function, "assign", 0, assign},
    {"tensorflow.assign_add", "ref, value, use_locking=None, name=None", Role::function, "add", 0, assign},
    {"tensorflow.assign_sub", "ref, value, use_locking=None, name=None", Role::function, "add", 0, assign},
    {"tensorflow.scatter_update", "ref, indices, updates, use_locking=True, name=None", Role::function, "scatter", 0, tf::first_argument},

    {"tensorflow.Operation", "", Role::object, "operation"},
    {"tensorflow.Operation.run", "feed_dict=None, session=None", Role::method, "session_run", 0, run_operation},
    {"tensorflow.Operation.name", {}, Role::attribute},
    {"tensorflow.Operation.outputs", {}, Role::attribute},
    {"tensorflow.Operation.inputs", {}, Role::attribute},
    {"tensorflow.Operation.op", {}, Role::attribute, {}, 0, answers::itself},
    does("tensorflow.global_variables_initializer", "", "initialize_variables"),
    does("tensorflow.initialize_all_variables", "", "initialize_variables"),
    does("tensorflow.local_variables_initializer", "", "initialize_variables"),
    does("tensorflow.initialize_local_variables", "", "initialize_variables"),
    does("tensorflow.variables_initializer", "var_list, name='init'", "initialize_variables"),
    does("tensorflow.initialize_variables", "var_list, name='init'", "initialize_variables"),
    does("tensorflow.tables_initializer", "name='init'", "initialize_tables"),
    does("tensorflow.initialize_all_tables", "name='init'", "initialize_tables"),
    does("tensorflow.group", "*inputs, **kwargs", "group"),
    does("tensorflow.no_op", "name=None", "no_op"),
    does("tensorflow.assert_equal", "x, y, **kwargs", "assert"),
    does("tensorflow.Assert", "condition, data, summarize=None, name=None", "assert"),
    {"tensorflow.tuple", "tensors, name=None, control_inputs=None", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.with_dependencies", "dependencies, output_tensor, name=None", Role::function, {}, 0, any_tensor},
    {"tensorflow.report_uninitialized_variables", "var_list=None, name=None", Role::opaque},
    {"tensorflow.is_variable_initialized", "variable", Role::opaque},

    {"tensorflow.Session", "target='', graph=None, config=None", Role::object, "session"},
    {"tensorflow.InteractiveSession", "target='', graph=None, config=None", Role::object, "session", 0, nullptr, "tensorflow.Session"},
    {"tensorflow.train.MonitoredTrainingSession", "master='', is_chief=True, checkpoint_dir=None, **kwargs", Role::object, "session", 0, nullptr, "tensorflow.Session"},
    {"tensorflow.train.MonitoredSession", "**kwargs", Role::object, "session", 0, nullptr, "tensorflow.Session"},
    {"tensorflow.train.SingularMonitoredSession", "**kwargs", Role::object, "session", 0, nullptr, "tensorflow.Session"},
    {"tensorflow.Session.run", "fetches, feed_dict=None, options=None, run_metadata=None", Role::method, "session_run", 0, run},
    {"tensorflow.Session.partial_run", "handle, fetches, feed_dict=None", Role::method, "session_run", 0, run},
    {"tensorflow.Session.close", "", Role::method, {}, 0, tf::nothing},
    {"tensorflow.Session.as_default", "", Role::method, {}, 0, answers::itself},
    {"tensorflow.Session.should_stop", "", Role::opaque},
    {"tensorflow.Session.make_callable", "fetches, feed_list=None", Role::opaque},
    {"tensorflow.Session.list_devices", "", Role::opaque},
    {"tensorflow.Session.graph", {}, Role::attribute, {}, 0, session_graph},
    {"tensorflow.Session.graph_def", {}, Role::attribute},
    {"tensorflow.Session.sess_str", {}, Role::attribute},
    {"tensorflow.get_default_session", "", Role::object, "session", 0, nullptr, "tensorflow.Session"},

    {"tensorflow.Graph", "", Role::object, "graph"},
    {"tensorflow.get_default_graph", "", Role::object, "graph", 0, nullptr, "tensorflow.Graph"},
    {"tensorflow.Graph.as_default", "", Role::method, "graph_scope", 0, answers::itself},
    {"tensorflow.Graph.finalize", "", Role::method, {}, 0, tf::nothing},
    {"tensorflow.Graph.get_tensor_by_name", "name", Role::method, {}, 0, any_tensor},
    {"tensorflow.Graph.get_operation_by_name", "name", Role::opaque},
    {"tensorflow.Graph.get_operations", "", Role::opaque},
    {"tensorflow.Graph.get_collection", "name, scope=None", Role::opaque},
    {"tensorflow.Graph.get_name_scope", "", Role::opaque},
    {"tensorflow.Graph.as_graph_def", "**kwargs", Role::opaque},
    {"tensorflow.Graph.device", "device", Role::opaque},
    {"tensorflow.Graph.name_scope", "name", Role::opaque},
    {"tensorflow.Graph.control_dependencies", "control_inputs", Role::opaque},
    {"tensorflow.Graph.gradient_override_map", "op_type_map", Role::opaque},
    {"tensorflow.Graph.seed", {}, Role::attribute},
    {"tensorflow.Graph.version", {}, Role::attribute},
    {"tensorflow.reset_default_graph", "", Role::function, "reset_graph", 0, tf::nothing},
    {"tensorflow.disable_v2_behavior", "", Role::function, {}, 0, tf::nothing},
    {"tensorflow.disable_eager_execution", "", Role::function, {}, 0, tf::nothing},
    {"tensorflow.enable_eager_execution", "**kwargs", Role::function, {}, 0, tf::nothing},
    {"tensorflow.enable_v2_behavior", "", Role::function, {}, 0, tf::nothing},
    {"tensorflow.executing_eagerly", "", Role::opaque},

    scope("tensorflow.variable_scope", "name_or_scope=None, default_name=None, values=None, initializer=None, regularizer=None, caching_device=None, partitioner=None, custom_getter=None, reuse=None, **kwargs", "variable_scope"),
    scope("tensorflow.variable_op_scope", "values, name_or_scope, default_name=None, **kwargs", "variable_scope"),
    scope("tensorflow.name_scope", "name, default_name=None, values=None", "name_scope"),
    scope("tensorflow.op_scope", "values, name, default_name=None", "name_scope"),
    scope("tensorflow.device", "device_name_or_function", "device_scope"),
    scope("tensorflow.control_dependencies", "control_inputs", "control_dependencies"),
    scope("tensorflow.colocate_with", "op, ignore_existing=False"),
    scope("tensorflow.init_scope", ""),
    scope("tensorflow.GradientTape", "persistent=False, watch_accessed_variables=True", "grad_tape"),
    {"tensorflow.GradientTape.gradient", "target, sources, output_gradients=None, unconnected_gradients=None", Role::method, "grad_of", 0, tf::gradients},
    {"tensorflow.GradientTape.jacobian", "target, sources, **kwargs", Role::method, "grad_of"},
    {"tensorflow.GradientTape.batch_jacobian", "target, source, **kwargs", Role::method, "grad_of"},
    {"tensorflow.GradientTape.watch", "tensor", Role::method, "watch", 0, tf::nothing},
    {"tensorflow.GradientTape.watched_variables", "", Role::method, {}, 0, variables},
    {"tensorflow.GradientTape.stop_recording", "", Role::opaque},
    {"tensorflow.GradientTape.reset", "", Role::opaque},
    {"tensorflow.gradients", "ys, xs, grad_ys=None, name='gradients', **kwargs", Role::function, "grad_of", 0, tf::gradients},
    {"tensorflow.hessians", "ys, xs, **kwargs", Role::function, "grad_of"},
    {"tensorflow.function", "func=None, **kwargs", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.autograph.experimental.do_not_convert", "func=None, **kwargs", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.custom_gradient", "f=None", Role::function, {}, 0, tf::first_argument},
    {"tensorflow.get_variable_scope", "", Role::object, "variable_scope"},
    {"tensorflow.get_variable_scope.reuse_variables", "", Role::method, "reuse_variables", 0, tf::nothing},
    {"tensorflow.variable_scope.reuse_variables", "", Role::method, "reuse_variables", 0, tf::nothing},

    {"tensorflow.cond", "pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None", Role::function, "where", 0, conditional},
    {"tensorflow.while_loop", "cond, body, loop_vars, shape_invariants=None, **kwargs", Role::function, "while", 0, while_loop},
    {"tensorflow.case", "pred_fn_pairs, default=None, **kwargs", Role::opaque},
    {"tensorflow.switch_case", "branch_index, branch_fns, default=None, name=None", Role::opaque},
    {"tensorflow.map_fn", "fn, elems, dtype=None, **kwargs", Role::function, "map", 0, map_fn},
    {"tensorflow.vectorized_map", "fn, elems, **kwargs", Role::function, "map", 0, map_fn},
    {"tensorflow.scan", "fn, elems, initializer=None, **kwargs", Role::function, {}, 0, any_tensor},
    {"tensorflow.foldl", "fn, elems, initializer=None, **kwargs", Role::function, {}, 0, any_tensor},
    {"tensorflow.foldr", "fn, elems, initializer=None, **kwargs", Role::function, {}, 0, any_tensor},
    {"tensorflow.py_func", "func, inp, Tout, stateful=True, name=None", Role::function, "py_function", k_no_gradient, any_tensor},
    {"tensorflow.py_function", "func, inp, Tout, name=None", Role::function, "py_function", 0, any_tensor},
    {"tensorflow.numpy_function", "func, inp, Tout, name=None", Role::function, "py_function", k_no_gradient, any_tensor},

    {"tensorflow.get_collection", "key, scope=None", Role::function, "get_collection", 0, variables},
    {"tensorflow.get_collection_ref", "key", Role::function, "get_collection", 0, variables},
    {"tensorflow.add_to_collection", "name, value", Role::function, {}, 0, tf::nothing},
    collection("tensorflow.trainable_variables"),
    collection("tensorflow.global_variables"),
    collection("tensorflow.local_variables"),
    collection("tensorflow.model_variables"),
    collection("tensorflow.all_variables"),
    {"tensorflow.GraphKeys", "", Role::object},

    {"tensorflow.train.Optimizer", "use_locking=False, name=None", Role::optimizer, "optimizer"},
    {"tensorflow.train.Optimizer.minimize", "loss, global_step=None, var_list=None, gate_gradients=1, aggregation_method=None, colocate_gradients_with_ops=False, name=None, grad_loss=None", Role::method, "minimize", 0, minimize},
    {"tensorflow.train.Optimizer.compute_gradients", "loss, var_list=None, **kwargs", Role::method, "grad_of", 0, compute_gradients},
    {"tensorflow.train.Optimizer.apply_gradients", "grads_and_vars, global_step=None, name=None", Role::method, "apply_gradients", 0, tf::operation},
    {"tensorflow.train.Optimizer.get_slot", "var, name", Role::opaque},
    {"tensorflow.train.Optimizer.variables", "", Role::opaque},
    optimizer("tensorflow.train.GradientDescentOptimizer", "sgd", "learning_rate, use_locking=False, name='GradientDescent'"),
    optimizer("tensorflow.train.MomentumOptimizer", "sgd", "learning_rate, momentum, use_locking=False, name='Momentum', use_nesterov=False"),
    optimizer("tensorflow.train.AdamOptimizer", "adam", "learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False, name='Adam'"),
    optimizer("tensorflow.train.RMSPropOptimizer", "rmsprop", "learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, name='RMSProp'"),
    optimizer("tensorflow.train.AdagradOptimizer", "adagrad", "learning_rate, initial_accumulator_value=0.1, use_locking=False, name='Adagrad'"),
    optimizer("tensorflow.train.AdadeltaOptimizer", "adadelta", "learning_rate=0.001, rho=0.95, epsilon=1e-08, use_locking=False, name='Adadelta'"),
    optimizer("tensorflow.train.FtrlOptimizer", "ftrl", "learning_rate, learning_rate_power=-0.5, **kwargs"),
    optimizer("tensorflow.train.ProximalGradientDescentOptimizer", "sgd", "learning_rate, **kwargs"),
    optimizer("tensorflow.train.ProximalAdagradOptimizer", "adagrad", "learning_rate, **kwargs"),
    optimizer("tensorflow.train.SyncReplicasOptimizer", "optimizer", "opt, replicas_to_aggregate, **kwargs"),
    optimizer("tensorflow.contrib.opt.NadamOptimizer", "nadam", "learning_rate=0.001, **kwargs"),
    optimizer("tensorflow.contrib.opt.AdamWOptimizer", "adamw", "weight_decay, learning_rate=0.001, **kwargs"),
    optimizer("tensorflow.contrib.opt.LazyAdamOptimizer", "adam", "learning_rate=0.001, **kwargs"),
    {"tensorflow.train.exponential_decay", k_rate, Role::function, "schedule", 0, scalar},
    {"tensorflow.train.polynomial_decay", k_rate, Role::function, "schedule", 0, scalar},
    {"tensorflow.train.inverse_time_decay", k_rate, Role::function, "schedule", 0, scalar},
    {"tensorflow.train.natural_exp_decay", k_rate, Role::function, "schedule", 0, scalar},
    {"tensorflow.train.cosine_decay", k_rate, Role::function, "schedule", 0, scalar},
    {"tensorflow.train.piecewise_constant", "x, boundaries, values, name=None", Role::function, "schedule", 0, scalar},
    {"tensorflow.train.get_or_create_global_step", "graph=None", Role::function, {}, 0, counter},
    {"tensorflow.train.get_global_step", "graph=None", Role::function, {}, 0, counter},
    {"tensorflow.train.create_global_step", "graph=None", Role::function, {}, 0, counter},
    {"tensorflow.contrib.framework.get_or_create_global_step", "graph=None", Role::function, {}, 0, counter},
    {"tensorflow.train.ExponentialMovingAverage", "decay, num_updates=None, **kwargs", Role::object},
    does("tensorflow.train.ExponentialMovingAverage.apply", "var_list=None", "moving_average", Role::method),
    {"tensorflow.train.ExponentialMovingAverage.average", "var", Role::method, {}, 0, tf::first_argument},
    {"tensorflow.train.ExponentialMovingAverage.variables_to_restore", "moving_avg_variables=None", Role::opaque},
    {"tensorflow.train.ExponentialMovingAverage.average_name", "var", Role::opaque},
    {"tensorflow.train.Saver", "var_list=None, reshape=False, sharded=False, max_to_keep=5, **kwargs", Role::object, "saver"},
    {"tensorflow.train.import_meta_graph", "meta_graph_or_file, **kwargs", Role::object, "saver", 0, nullptr, "tensorflow.train.Saver"},
    {"tensorflow.train.Saver.save", "sess, save_path, global_step=None, **kwargs", Role::method, "save", 0, tf::nothing},
    {"tensorflow.train.Saver.restore", "sess, save_path", Role::method, "restore", 0, tf::nothing},
    {"tensorflow.train.Saver.recover_last_checkpoints", "checkpoint_paths", Role::opaque},
    {"tensorflow.train.batch", "tensors, batch_size, num_threads=1, capacity=32, **kwargs", Role::function, "input_queue", 0, queue_batch},
    {"tensorflow.train.shuffle_batch", "tensors, batch_size, capacity, min_after_dequeue, num_threads=1, **kwargs", Role::function, "input_queue", 0, queue_batch},
    {"tensorflow.train.slice_input_producer", "tensor_list, num_epochs=None, shuffle=True, seed=None, **kwargs", Role::function, "input_queue", 0, queue_slices},
    {"tensorflow.decode_csv", "records, record_defaults, field_delim=',', **kwargs", Role::function, {}, 0, decode_csv},
    {"tensorflow.decode_raw", "input_bytes, out_type, little_endian=True, name=None", Role::function, {}, 0, decode_raw},
    {"tensorflow.read_file", "filename, name=None", Role::function, "read_file", 0, tf::text},

    initializer("tensorflow.zeros_initializer", "zeros", "dtype='float32'"),
    initializer("tensorflow.ones_initializer", "ones", "dtype='float32'"),
    initializer("tensorflow.constant_initializer", "constant", "value=0, dtype='float32', verify_shape=False"),
    initializer("tensorflow.random_normal_initializer", "random_normal", k_normal),
    initializer("tensorflow.truncated_normal_initializer", "truncated_normal", k_normal),
    initializer("tensorflow.random_uniform_initializer", "random_uniform", "minval=0, maxval=None, seed=None, dtype='float32'"),
    initializer("tensorflow.uniform_unit_scaling_initializer", "variance_scaling", "factor=1.0, seed=None, dtype='float32'"),
    initializer("tensorflow.variance_scaling_initializer", "variance_scaling", "scale=1.0, mode='fan_in', distribution='truncated_normal', seed=None, dtype='float32'"),
    initializer("tensorflow.orthogonal_initializer", "orthogonal", "gain=1.0, seed=None, dtype='float32'"),
    initializer("tensorflow.glorot_uniform_initializer", "glorot_uniform", "seed=None, dtype='float32'"),
    initializer("tensorflow.glorot_normal_initializer", "glorot_normal", "seed=None, dtype='float32'"),
    initializer("tensorflow.contrib.layers.xavier_initializer", "glorot_uniform", "uniform=True, seed=None, dtype='float32'"),
    initializer("tensorflow.contrib.layers.xavier_initializer_conv2d", "glorot_uniform", "uniform=True, seed=None, dtype='float32'"),
    initializer("tensorflow.contrib.layers.variance_scaling_initializer", "variance_scaling", "factor=2.0, mode='FAN_IN', uniform=False, seed=None, dtype='float32'"),
};
// clang-format on

} // namespace

void tf::check_feeds(Machine& machine, Call& call)
{
  const Argument* given = call.argument("feed_dict");
  const auto* feeds = given != nullptr ? as<Dict>(given->value) : nullptr;
  if (feeds == nullptr) {
    return;
  }
  for (const auto& [key, value] : feeds->items) {
    const auto* wanted = as<Tensor>(key);
    const Tensor* data = machine.to_tensor(value);
    if (wanted == nullptr || data == nullptr || wanted->producer == nullptr ||
        wanted->shape.compare(data->shape) != Dim::Comparison::different) {
      continue;
    }
    const Span span =
        given->span.contains(value->origin) && !value->origin.empty() ? value->origin : given->span;
    Problem& problem =
        machine.problem(ProblemKind::input_shape,
                        span,
                        format("an array of shape {} is fed to a placeholder of shape {}",
                               data->shape.text(),
                               wanted->shape.text()),
                        &call);
    problem.notes.push_back({wanted->producer->span, "the placeholder"});
  }
}

std::span<const Api> tf_graph()
{
  return k_rows;
}

} // namespace faultline::program
