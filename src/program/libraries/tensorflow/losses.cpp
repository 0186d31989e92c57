// Losses of TensorFlow: tf.nn.*_cross_entropy_with_logits and tf.losses.

#include "program/libraries/keras/losses.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/loss_kinds.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using tf::operand;
using tf::result;

struct Pair {
  const Argument* labels = nullptr;
  const Argument* logits = nullptr;
};

bool is_fed(const Argument* argument)
{
  const auto* tensor = argument != nullptr ? as<Tensor>(argument->value) : nullptr;
  return tensor != nullptr && (tensor->producer == nullptr || tensor->producer->is("placeholder") ||
                               tensor->producer->is("one_hot") || tensor->producer->is("cast"));
}

bool is_computed(const Argument* argument)
{
  const auto* tensor = argument != nullptr ? as<Tensor>(argument->value) : nullptr;
  return tensor != nullptr && tensor->requires_grad == Truth::yes;
}

// By position the order depends on the version: before 1.0 the logits came first, since 2.0 the
// labels do. What is computed from weights is the prediction, what is fed are the labels.
Pair with_logits(Machine& machine, const Call& call)
{
  Pair pair{call.argument("labels"), call.argument("logits")};
  if (pair.labels == nullptr) {
    pair.labels = call.argument("targets");
  }
  const bool positional = pair.labels != nullptr && pair.logits != nullptr &&
                          tf::is_positional(machine, call, *pair.labels) &&
                          tf::is_positional(machine, call, *pair.logits);
  if (positional && is_computed(pair.labels) && is_fed(pair.logits)) {
    std::swap(pair.labels, pair.logits);
  }
  return pair;
}

Ref value_of(const Argument* argument)
{
  return argument != nullptr ? argument->value : nullptr;
}

void mismatch(Machine& machine,
              Call& call,
              const Argument* labels,
              const Shape& predicted,
              const Shape& given,
              std::string_view why)
{
  machine.problem(ProblemKind::loss_shape,
                  labels != nullptr ? labels->span : call.span,
                  format("the prediction is {}, but the labels have shape {}: {}",
                         predicted.text(),
                         given.text(),
                         why),
                  &call);
}

void expect_equal_shapes(Machine& machine,
                         Call& call,
                         const Argument* labels,
                         const Shape& predicted,
                         const Shape& given)
{
  if (predicted.compare(given) == Dim::Comparison::different) {
    mismatch(machine, call, labels, predicted, given, "they must be the same");
  }
}

void expect_indices(Machine& machine,
                    Call& call,
                    const Argument* labels,
                    const Shape& predicted,
                    const Tensor& given)
{
  tf::expect_integers(machine, call, given, labels != nullptr ? labels->span : call.span);
  const auto out = predicted.rank();
  const auto in = given.shape.rank();
  if (!out || !in || *out == 0) {
    return;
  }
  if (*in + 1 != *out) {
    mismatch(machine,
             call,
             labels,
             predicted,
             given.shape,
             "one class index for each prediction is wanted");
    return;
  }
  for (size_t i = 0; i < *in; ++i) {
    if (given.shape.dims()[i].compare(predicted.dims()[i]) == Dim::Comparison::different) {
      mismatch(machine, call, labels, predicted, given.shape, format("axis {} differs", i));
      return;
    }
  }
}

void expect_numbers(Machine& machine, Call& call, const Argument* labels, const Tensor& given)
{
  if (given.dtype == DType(DType::Kind::string)) {
    Problem& problem = machine.problem(ProblemKind::object_dtype,
                                       labels != nullptr ? labels->span : call.span,
                                       "the labels are text, but the loss compares numbers",
                                       &call);
    problem.help = "encode the labels as numbers first";
  }
}

Shape without_last(const Shape& shape)
{
  return shape.rank() >= 1 ? shape.without(*shape.rank() - 1) : Shape::top();
}

Tensor* loss_tensor(Machine& machine, Call& call, Shape shape, DType dtype)
{
  Tensor* made = result(machine, call, std::move(shape), dtype, Interval::of(0, Interval::k_inf));
  made->library = Library::tensorflow;
  return made;
}

// Newer versions broadcast sizes of 1.
void expect_compatible_shapes(Machine& machine,
                              Call& call,
                              const Argument* labels,
                              const Shape& predicted,
                              const Shape& given)
{
  const bool same_rank = predicted.rank() == given.rank();
  if (same_rank && broadcast(predicted, given).outcome != Broadcast::Outcome::impossible) {
    return;
  }
  expect_equal_shapes(machine, call, labels, predicted, given);
}

// What a loss of logits compares.
struct Compared {
  const Argument* labels_argument = nullptr;
  const Tensor* logits = nullptr;
  const Tensor* labels = nullptr;
};

Compared noted_logits(Machine& machine, Call& call)
{
  const Pair pair = with_logits(machine, call);
  tf::note_loss(machine, call, LossInput::logits, pair.logits, pair.labels);
  return {pair.labels,
          operand(machine, value_of(pair.logits)),
          operand(machine, value_of(pair.labels))};
}

Ref softmax_loss(Machine& machine, Call& call)
{
  const auto [argument, logits, labels] = noted_logits(machine, call);
  expect_numbers(machine, call, argument, *labels);
  expect_compatible_shapes(machine, call, argument, logits->shape, labels->shape);
  return loss_tensor(machine, call, without_last(logits->shape), logits->dtype);
}

Ref sparse_softmax_loss(Machine& machine, Call& call)
{
  const auto [argument, logits, labels] = noted_logits(machine, call);
  expect_indices(machine, call, argument, logits->shape, *labels);
  return loss_tensor(machine, call, without_last(logits->shape), logits->dtype);
}

Ref sigmoid_loss(Machine& machine, Call& call)
{
  const auto [argument, logits, labels] = noted_logits(machine, call);
  tf::expect_same_dtype(machine, call, *logits, *labels);
  expect_equal_shapes(machine, call, argument, logits->shape, labels->shape);
  return loss_tensor(machine, call, logits->shape, logits->dtype);
}

// tf.losses: a mean over the batch. The first two parameters are labels and predictions.
Ref mean_loss(Machine& machine, Call& call)
{
  const std::vector<Parameter>& parameters = parameters_of(*call.api);
  const Argument* labels = call.argument(parameters[0].name);
  const Argument* predictions = call.argument(parameters[1].name);
  const bool logits = parameters[1].name == "logits";
  const LossKind kind = loss_kind(call.op());
  const LossInput wants = logits && kind != LossKind::hinge ? LossInput::logits
                          : kind == LossKind::binary        ? LossInput::probabilities
                                                            : LossInput::any;
  tf::note_loss(machine, call, wants, predictions, labels);
  const Tensor* predicted = operand(machine, value_of(predictions));
  const Tensor* given = operand(machine, value_of(labels));
  if (kind == LossKind::sparse_categorical) {
    // An axis of size 1 behind the indices is taken away.
    if (!(given->shape.rank() == predicted->shape.rank() && given->shape.at(-1).is(1))) {
      expect_indices(machine, call, labels, predicted->shape, *given);
    }
  } else {
    expect_equal_shapes(machine, call, labels, predicted->shape, given->shape);
  }
  return loss_tensor(machine, call, Shape::scalar(), DType::Kind::float32);
}

Ref weighted_loss(Machine& machine, Call& call)
{
  return loss_tensor(machine, call, Shape::scalar(), DType::Kind::float32);
}

Ref sampled_loss(Machine& machine, Call& call)
{
  const Tensor* inputs = operand(machine, call.arg("inputs"));
  return loss_tensor(machine, call, Shape::of({inputs->shape.at(0)}), DType::Kind::float32);
}

Ref ctc_loss(Machine& machine, Call& call)
{
  const Argument* labels = call.argument("labels");
  const Argument* inputs =
      call.argument("inputs") != nullptr ? call.argument("inputs") : call.argument("logits");
  tf::note_loss(machine, call, LossInput::logits, inputs, labels);
  return loss_tensor(machine, call, Shape::of_rank(1), DType::Kind::float32);
}

Ref loss_list(Machine& machine, Call& call)
{
  return machine.open_list(loss_tensor(machine, call, Shape::scalar(), DType::Kind::float32));
}

// tf.metrics of TensorFlow 1: (value, update).
Ref metric_pair(Machine& machine, Call& call)
{
  Tensor* value = result(machine, call, Shape::scalar(), DType::Kind::float32);
  Tensor* update = result(machine, call, Shape::scalar(), DType::Kind::float32);
  value->requires_grad = Truth::no;
  update->requires_grad = Truth::no;
  return machine.tuple({value, update});
}

constexpr std::string_view k_tail =
    "labels, predictions, weights=1.0, scope=None, loss_collection='losses', reduction=None";

constexpr Api
function(std::string_view name, std::string_view op, std::string_view signature, Transfer transfer)
{
  return {name, signature, Role::loss_function, op, 0, transfer};
}
constexpr Api metric(std::string_view name)
{
  return {name,
          "labels, predictions, weights=None, **kwargs",
          Role::function,
          "metric",
          k_no_gradient,
          metric_pair};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    function("tensorflow.nn.softmax_cross_entropy_with_logits", "loss.categorical", "labels=None, logits=None, axis=-1, name=None, dim=None, _sentinel=None", softmax_loss),
    function("tensorflow.nn.softmax_cross_entropy_with_logits_v2", "loss.categorical", "labels, logits, axis=None, name=None, dim=None", softmax_loss),
    function("tensorflow.nn.sparse_softmax_cross_entropy_with_logits", "loss.sparse_categorical", "labels=None, logits=None, name=None, _sentinel=None", sparse_softmax_loss),
    function("tensorflow.nn.sigmoid_cross_entropy_with_logits", "loss.binary", "labels=None, logits=None, name=None, _sentinel=None, targets=None", sigmoid_loss),
    function("tensorflow.nn.weighted_cross_entropy_with_logits", "loss.binary", "labels=None, logits=None, pos_weight=None, name=None, targets=None", sigmoid_loss),
    function("tensorflow.nn.log_poisson_loss", "loss.poisson", "targets, log_input, compute_full_loss=False, name=None", nullptr),
    function("tensorflow.nn.ctc_loss", "loss.ctc", "labels, inputs=None, sequence_length=None, **kwargs", ctc_loss),
    function("tensorflow.nn.nce_loss", "loss.sampled", "weights, biases, labels, inputs, num_sampled, num_classes, **kwargs", sampled_loss),
    function("tensorflow.nn.sampled_softmax_loss", "loss.sampled", "weights, biases, labels, inputs, num_sampled, num_classes, **kwargs", sampled_loss),
    function("tensorflow.losses.softmax_cross_entropy", "loss.categorical", "onehot_labels, logits, weights=1.0, label_smoothing=0, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.sparse_softmax_cross_entropy", "loss.sparse_categorical", "labels, logits, weights=1.0, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.sigmoid_cross_entropy", "loss.binary", "multi_class_labels, logits, weights=1.0, label_smoothing=0, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.log_loss", "loss.binary", "labels, predictions, weights=1.0, epsilon=1e-07, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.mean_squared_error", "loss.mse", k_tail, mean_loss),
    function("tensorflow.losses.mean_pairwise_squared_error", "loss.mse", k_tail, mean_loss),
    function("tensorflow.losses.absolute_difference", "loss.mae", k_tail, mean_loss),
    function("tensorflow.losses.huber_loss", "loss.huber", "labels, predictions, weights=1.0, delta=1.0, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.hinge_loss", "loss.hinge", "labels, logits, weights=1.0, scope=None, loss_collection='losses', reduction=None", mean_loss),
    function("tensorflow.losses.cosine_distance", "loss.cosine", "labels, predictions, axis=None, weights=1.0, scope=None, loss_collection='losses', reduction=None, dim=None", mean_loss),
    {"tensorflow.losses.compute_weighted_loss", "losses, weights=1.0, scope=None, loss_collection='losses', reduction=None", Role::function, "reduce_mean", k_reduction, weighted_loss},
    {"tensorflow.losses.add_loss", "loss, loss_collection='losses'", Role::function, "add_loss", 0, tf::nothing},
    {"tensorflow.losses.get_total_loss", "add_regularization_losses=True, name='total_loss', **kwargs", Role::function, "total_loss", 0, weighted_loss},
    {"tensorflow.losses.get_regularization_loss", "scope=None, name=None", Role::function, {}, 0, weighted_loss},
    {"tensorflow.losses.get_regularization_losses", "scope=None", Role::function, {}, 0, loss_list},
    {"tensorflow.losses.get_losses", "scope=None, loss_collection='losses'", Role::function, {}, 0, loss_list},
    {"tensorflow.contrib.seq2seq.sequence_loss", "logits, targets, weights, **kwargs", Role::loss_function, "loss.sequence", 0, weighted_loss},
    {"tensorflow.nn.seq2seq.sequence_loss_by_example", "logits, targets, weights, **kwargs", Role::loss_function, "loss.sequence"},
    metric("tensorflow.metrics.accuracy"),
    metric("tensorflow.metrics.auc"),
    metric("tensorflow.metrics.mean_squared_error"),
    metric("tensorflow.metrics.mean_absolute_error"),
    metric("tensorflow.metrics.root_mean_squared_error"),
    metric("tensorflow.metrics.precision"),
    metric("tensorflow.metrics.recall"),
    metric("tensorflow.metrics.mean_iou"),
    metric("tensorflow.metrics.mean_per_class_accuracy"),
    {"tensorflow.metrics.mean", "values, weights=None, **kwargs", Role::function, "metric", k_no_gradient, metric_pair},
};
// clang-format on

} // namespace

std::span<const Api> tf_losses()
{
  return k_rows;
}

} // namespace faultline::program
