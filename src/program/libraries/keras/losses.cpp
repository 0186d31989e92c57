// keras.losses: functions, classes, and the strings that `compile` takes.

#include "program/libraries/keras/losses.hpp"

#include "base/format.hpp"
#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/libraries/shared/loss_kinds.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"
#include "program/operations/shapes.hpp"

namespace faultline::program {

namespace keras {

static LossInput wants_of(Machine& machine, LossKind kind, Ref from_logits)
{
  switch (kind) {
  case LossKind::categorical:
  case LossKind::sparse_categorical:
  case LossKind::binary:
    if (from_logits == nullptr) {
      return LossInput::probabilities;
    }
    if (const auto flag = machine.truthiness(from_logits)) {
      return *flag ? LossInput::logits : LossInput::probabilities;
    }
    return LossInput::any;
  case LossKind::kl:
    return LossInput::probabilities;
  default:
    return LossInput::any;
  }
}

LossChoice read_loss(Machine& machine, Ref loss)
{
  const std::string_view op = loss != nullptr && !machine.is_none(loss) ? machine.op_of(loss) : "";
  LossChoice choice;
  choice.kind = loss_kind(op);
  choice.is_known = op.starts_with("loss.");
  const auto* object = as<Instance>(loss);
  const Ref from_logits = object != nullptr && object->made_by != nullptr
                              ? object->made_by->arg("from_logits")
                              : nullptr;
  choice.wants = wants_of(machine, choice.kind, from_logits);
  return choice;
}

static bool is_other(const Dim& a, const Dim& b)
{
  return a.compare(b) == Dim::Comparison::different;
}

// Why the labels do not suit; empty if they may.
static std::string mismatch(LossKind kind, const Shape& prediction, const Shape& target)
{
  const size_t out = *prediction.rank();
  const size_t in = *target.rank();
  const Dim width = prediction.at(-1);
  const Dim last = target.at(-1);
  if (kind == LossKind::sparse_categorical) {
    if (in == out && !last.is(1) && last.constant() && !width.is(1)) {
      return "this loss takes one class index for each prediction";
    }
    if (in + 1 < out || in > out) {
      return "this loss takes one class index for each prediction";
    }
    return {};
  }
  if (in == out) {
    if (!is_other(width, last)) {
      for (size_t i = 1; i + 1 < out; ++i) {
        if (is_other(prediction.dims()[i], target.dims()[i])) {
          return format("axis {} differs", i);
        }
      }
      return {};
    }
    return "the last axes differ";
  }
  // One value for each sample may come without its axis of size 1.
  if (in + 1 == out && (width.is(1) || width.is_unknown())) {
    return {};
  }
  if (out + 1 == in && (last.is(1) || last.is_unknown())) {
    return {};
  }
  return kind == LossKind::categorical && in + 1 == out ? "this loss takes one-hot labels"
                                                        : "the ranks differ";
}

bool expect_loss_shapes(Machine& machine,
                        const Call& call,
                        Span span,
                        LossKind kind,
                        const Shape& prediction,
                        const Shape& target)
{
  const bool is_checked = kind != LossKind::custom && kind != LossKind::ctc &&
                          kind != LossKind::nll && kind != LossKind::margin;
  if (!is_checked || prediction.rank() < 2 || target.rank() < 1) {
    return true;
  }
  const std::string why = mismatch(kind, prediction, target);
  if (why.empty()) {
    return true;
  }
  machine.problem(ProblemKind::loss_shape,
                  span,
                  format("the output is {}, but the labels have shape {}: {}",
                         prediction.text(),
                         target.text(),
                         why),
                  &call);
  return false;
}

static const Argument* loss_argument(const Call& call, std::string_view name, size_t n)
{
  if (const Argument* named = call.argument(name)) {
    return named;
  }
  return call_argument(call, n);
}

static Interval loss_interval(LossKind kind)
{
  switch (kind) {
  case LossKind::cosine:
    return Interval::of(-1, 1);
  case LossKind::kl:
  case LossKind::poisson:
  case LossKind::custom:
    return Interval::top();
  default:
    return Interval::of(0, Interval::k_inf);
  }
}

// y_true, y_pred → one loss for each sample, or their mean if an object is called.
Ref loss(Machine& machine, Call& call)
{
  const Argument* target = loss_argument(call, "y_true", 0);
  const Argument* prediction = loss_argument(call, "y_pred", 1);
  const LossKind kind = loss_kind(call.op());
  tf::note_loss(machine,
                call,
                wants_of(machine, kind, call.setting_value("from_logits")),
                prediction,
                target);
  const Tensor* y_true = tf::operand(machine, target != nullptr ? target->value : nullptr);
  const Tensor* y_pred = tf::operand(machine, prediction != nullptr ? prediction->value : nullptr);
  const bool is_object = call.layer != nullptr;
  const Span span = target != nullptr ? target->span : call.span;
  const bool fits = expect_loss_shapes(machine, call, span, kind, y_pred->shape, y_true->shape);
  Shape shape = Shape::scalar();
  const Ref reduction = call.setting_value("reduction");
  const bool none = machine.to_string(reduction) == "none" || machine.op_of(reduction) == "none";
  if (!is_object || none) {
    shape =
        y_pred->shape.rank() >= 1 ? y_pred->shape.without(*y_pred->shape.rank() - 1) : Shape::top();
    const bool elementwise =
        kind == LossKind::mse || kind == LossKind::mae || kind == LossKind::huber;
    const Broadcast both = broadcast(y_true->shape, y_pred->shape);
    if (fits && !is_object && elementwise && both.both_grow) {
      machine.problem(ProblemKind::both_grow,
                      call.span,
                      format("{} and {} are stretched to {} here",
                             y_true->shape.text(),
                             y_pred->shape.text(),
                             both.shape.text()),
                      &call);
    }
  }
  Tensor* made = machine.tensor(call, shape, DType::Kind::float32, loss_interval(kind));
  made->library = Library::tensorflow;
  return made;
}

} // namespace keras

namespace {

Ref reduced_loss(Machine& machine, Call& call)
{
  const Tensor* values = tf::operand(machine, tf::argument(call, 0));
  return tf::result(machine, call, Shape::scalar(), values->dtype, Interval::top());
}

constexpr std::string_view k_function = "y_true, y_pred";
constexpr std::string_view k_entropy =
    "y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1";
constexpr std::string_view k_class = "reduction='sum_over_batch_size', name=None, **kwargs";
constexpr std::string_view k_entropy_class =
    "from_logits=False, label_smoothing=0.0, axis=-1, reduction='sum_over_batch_size', name=None, "
    "**kwargs";
constexpr std::string_view k_sparse_class =
    "from_logits=False, ignore_class=None, reduction='sum_over_batch_size', axis=-1, name=None, "
    "**kwargs";

constexpr Api
function(std::string_view name, std::string_view op, std::string_view signature = k_function)
{
  return {name, signature, Role::loss_function, op, 0, keras::loss};
}
constexpr Api
klass(std::string_view name, std::string_view op, std::string_view signature = k_class)
{
  return {name, signature, Role::loss, op, 0, keras::loss, "keras.losses.Loss"};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.losses.Loss", "reduction='sum_over_batch_size', name=None, **kwargs", Role::loss, "loss", 0, keras::loss},
    klass("keras.losses.BinaryCrossentropy", "loss.binary", k_entropy_class),
    klass("keras.losses.BinaryFocalCrossentropy", "loss.binary", "apply_class_balancing=False, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1, reduction='sum_over_batch_size', **kwargs"),
    klass("keras.losses.CategoricalCrossentropy", "loss.categorical", k_entropy_class),
    klass("keras.losses.CategoricalFocalCrossentropy", "loss.categorical", "alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1, reduction='sum_over_batch_size', **kwargs"),
    klass("keras.losses.SparseCategoricalCrossentropy", "loss.sparse_categorical", k_sparse_class),
    klass("keras.losses.MeanSquaredError", "loss.mse"),
    klass("keras.losses.MeanSquaredLogarithmicError", "loss.mse"),
    klass("keras.losses.MeanAbsoluteError", "loss.mae"),
    klass("keras.losses.MeanAbsolutePercentageError", "loss.mae"),
    klass("keras.losses.Huber", "loss.huber", "delta=1.0, reduction='sum_over_batch_size', name=None, **kwargs"),
    klass("keras.losses.LogCosh", "loss.huber"),
    klass("keras.losses.Hinge", "loss.hinge"),
    klass("keras.losses.SquaredHinge", "loss.hinge"),
    klass("keras.losses.CategoricalHinge", "loss.hinge"),
    klass("keras.losses.KLDivergence", "loss.kl"),
    klass("keras.losses.Poisson", "loss.poisson"),
    klass("keras.losses.CosineSimilarity", "loss.cosine", "axis=-1, reduction='sum_over_batch_size', name=None, **kwargs"),
    klass("keras.losses.CTC", "loss.ctc"),
    klass("keras.losses.Dice", "loss"),
    klass("keras.losses.Tversky", "loss", "alpha=0.5, beta=0.5, reduction='sum_over_batch_size', **kwargs"),

    function("keras.losses.binary_crossentropy", "loss.binary", k_entropy),
    function("keras.losses.binary_focal_crossentropy", "loss.binary", "y_true, y_pred, apply_class_balancing=False, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1"),
    function("keras.losses.categorical_crossentropy", "loss.categorical", k_entropy),
    function("keras.losses.categorical_focal_crossentropy", "loss.categorical", "y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False, label_smoothing=0.0, axis=-1"),
    function("keras.losses.sparse_categorical_crossentropy", "loss.sparse_categorical", "y_true, y_pred, from_logits=False, axis=-1, ignore_class=None"),
    function("keras.losses.mean_squared_error", "loss.mse"),
    function("keras.losses.mse", "loss.mse"),
    function("keras.losses.MSE", "loss.mse"),
    function("keras.losses.mean_squared_logarithmic_error", "loss.mse"),
    function("keras.losses.msle", "loss.mse"),
    function("keras.losses.MSLE", "loss.mse"),
    function("keras.losses.mean_absolute_error", "loss.mae"),
    function("keras.losses.mae", "loss.mae"),
    function("keras.losses.MAE", "loss.mae"),
    function("keras.losses.mean_absolute_percentage_error", "loss.mae"),
    function("keras.losses.mape", "loss.mae"),
    function("keras.losses.MAPE", "loss.mae"),
    function("keras.losses.huber", "loss.huber", "y_true, y_pred, delta=1.0"),
    function("keras.losses.huber_loss", "loss.huber", "y_true, y_pred, delta=1.0"),
    function("keras.losses.logcosh", "loss.huber"),
    function("keras.losses.log_cosh", "loss.huber"),
    function("keras.losses.hinge", "loss.hinge"),
    function("keras.losses.squared_hinge", "loss.hinge"),
    function("keras.losses.categorical_hinge", "loss.hinge"),
    function("keras.losses.kullback_leibler_divergence", "loss.kl"),
    function("keras.losses.kl_divergence", "loss.kl"),
    function("keras.losses.kld", "loss.kl"),
    function("keras.losses.KLD", "loss.kl"),
    function("keras.losses.poisson", "loss.poisson"),
    function("keras.losses.cosine_similarity", "loss.cosine", "y_true, y_pred, axis=-1"),
    function("keras.losses.cosine_proximity", "loss.cosine", "y_true, y_pred, axis=-1"),
    function("keras.losses.cosine", "loss.cosine", "y_true, y_pred, axis=-1"),
    function("keras.losses.ctc", "loss.ctc"),
    function("keras.losses.dice", "loss"),
    function("keras.losses.tversky", "loss", "y_true, y_pred, alpha=0.5, beta=0.5"),
    {"keras.losses.get", "identifier", Role::opaque},
    {"keras.losses.serialize", "loss", Role::opaque},
    {"keras.losses.deserialize", "name, custom_objects=None", Role::opaque},
    {"keras.losses.Reduction.NONE", {}, Role::constant, "none"},
    {"keras.losses.Reduction.SUM", {}, Role::constant, "sum"},
    {"keras.losses.Reduction.AUTO", {}, Role::constant, "auto"},
    {"keras.losses.Reduction.SUM_OVER_BATCH_SIZE", {}, Role::constant, "auto"},
    {"tensorflow.nn.compute_average_loss", "per_example_loss, sample_weight=None, global_batch_size=None", Role::function, "reduce_mean", k_reduction, reduced_loss},
    {"tensorflow.nn.scale_regularization_loss", "regularization_loss", Role::function, "reduce_sum", k_reduction, reduced_loss},
};
// clang-format on

} // namespace

std::span<const Api> keras_losses()
{
  return k_rows;
}

} // namespace faultline::program
