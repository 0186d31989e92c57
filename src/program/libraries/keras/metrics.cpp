// Keras metrics and callbacks. They watch training and change nothing in the graph.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

Ref metric_value(Machine& machine, Call& call)
{
  Tensor* made = tf::result(machine, call, Shape::scalar(), DType::Kind::float32);
  made->requires_grad = Truth::no;
  return made;
}

// One value for each sample.
Ref metric_values(Machine& machine, Call& call)
{
  const Tensor* prediction = tf::operand(machine, tf::argument(call, 1));
  const auto rank = prediction->shape.rank();
  return tf::result(machine,
                    call,
                    rank >= 1 ? prediction->shape.without(*rank - 1) : Shape::top(),
                    DType::Kind::float32);
}

constexpr std::string_view k_metric = "keras.metrics.Metric";
constexpr std::string_view k_callback = "keras.callbacks.Callback";

constexpr Api metric(std::string_view name,
                     std::string_view op,
                     std::string_view signature = "name=None, dtype=None, **kwargs")
{
  return {name, signature, Role::metric, op, 0, nullptr, k_metric};
}
constexpr Api function(std::string_view name,
                       std::string_view op,
                       std::string_view signature = "y_true, y_pred, **kwargs")
{
  return {name, signature, Role::function, op, 0, metric_values};
}
constexpr Api callback(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::callback, op, 0, nullptr, k_callback};
}

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {k_metric, "name=None, dtype=None, **kwargs", Role::metric, "metric"},
    {"keras.metrics.Metric.__call__", "*args, **kwargs", Role::method, "metric", 0, metric_value},
    {"keras.metrics.Metric.update_state", "*args, **kwargs", Role::method, "update_metric", 0, tf::nothing},
    {"keras.metrics.Metric.result", "", Role::method, {}, 0, metric_value},
    {"keras.metrics.Metric.reset_states", "", Role::opaque},
    {"keras.metrics.Metric.reset_state", "", Role::opaque},
    {"keras.metrics.Metric.add_weight", "name=None, shape=(), **kwargs", Role::method, {}, 0, metric_value},
    {"keras.metrics.Metric.add_variable", "shape=(), initializer=None, name=None, **kwargs", Role::method, {}, 0, metric_value},
    {"keras.metrics.Metric.get_config", "", Role::opaque},
    metric("keras.metrics.Accuracy", "metric.accuracy"),
    metric("keras.metrics.BinaryAccuracy", "metric.binary_accuracy", "name='binary_accuracy', dtype=None, threshold=0.5"),
    metric("keras.metrics.CategoricalAccuracy", "metric.categorical_accuracy"),
    metric("keras.metrics.SparseCategoricalAccuracy", "metric.sparse_categorical_accuracy"),
    metric("keras.metrics.TopKCategoricalAccuracy", "metric.top_k_categorical_accuracy", "k=5, name=None, dtype=None"),
    metric("keras.metrics.SparseTopKCategoricalAccuracy", "metric.sparse_top_k_categorical_accuracy", "k=5, name=None, dtype=None"),
    metric("keras.metrics.AUC", "metric.auc", "num_thresholds=200, curve='ROC', summation_method='interpolation', name=None, dtype=None, thresholds=None, multi_label=False, **kwargs"),
    metric("keras.metrics.Precision", "metric.precision", "thresholds=None, top_k=None, class_id=None, name=None, dtype=None"),
    metric("keras.metrics.Recall", "metric.recall", "thresholds=None, top_k=None, class_id=None, name=None, dtype=None"),
    metric("keras.metrics.F1Score", "metric.f1", "average=None, threshold=None, name=None, dtype=None"),
    metric("keras.metrics.FBetaScore", "metric.f1", "average=None, beta=1.0, threshold=None, name=None, dtype=None"),
    metric("keras.metrics.TruePositives", "metric.count", "thresholds=None, name=None, dtype=None"),
    metric("keras.metrics.TrueNegatives", "metric.count", "thresholds=None, name=None, dtype=None"),
    metric("keras.metrics.FalsePositives", "metric.count", "thresholds=None, name=None, dtype=None"),
    metric("keras.metrics.FalseNegatives", "metric.count", "thresholds=None, name=None, dtype=None"),
    metric("keras.metrics.PrecisionAtRecall", "metric.precision", "recall, **kwargs"),
    metric("keras.metrics.RecallAtPrecision", "metric.recall", "precision, **kwargs"),
    metric("keras.metrics.SensitivityAtSpecificity", "metric.recall", "specificity, **kwargs"),
    metric("keras.metrics.SpecificityAtSensitivity", "metric.recall", "sensitivity, **kwargs"),
    metric("keras.metrics.MeanSquaredError", "metric.mse"),
    metric("keras.metrics.RootMeanSquaredError", "metric.mse"),
    metric("keras.metrics.MeanSquaredLogarithmicError", "metric.mse"),
    metric("keras.metrics.MeanAbsoluteError", "metric.mae"),
    metric("keras.metrics.MeanAbsolutePercentageError", "metric.mae"),
    metric("keras.metrics.R2Score", "metric.r2"),
    metric("keras.metrics.LogCoshError", "metric.mae"),
    metric("keras.metrics.CosineSimilarity", "metric.cosine"),
    metric("keras.metrics.KLDivergence", "metric.kl"),
    metric("keras.metrics.Poisson", "metric.poisson"),
    metric("keras.metrics.Hinge", "metric.hinge"),
    metric("keras.metrics.SquaredHinge", "metric.hinge"),
    metric("keras.metrics.CategoricalHinge", "metric.hinge"),
    metric("keras.metrics.BinaryCrossentropy", "metric.binary_crossentropy", "name=None, dtype=None, from_logits=False, label_smoothing=0"),
    metric("keras.metrics.CategoricalCrossentropy", "metric.categorical_crossentropy", "name=None, dtype=None, from_logits=False, label_smoothing=0"),
    metric("keras.metrics.SparseCategoricalCrossentropy", "metric.sparse_categorical_crossentropy", "name=None, dtype=None, from_logits=False"),
    metric("keras.metrics.MeanIoU", "metric.iou", "num_classes, name=None, dtype=None, **kwargs"),
    metric("keras.metrics.IoU", "metric.iou", "num_classes, target_class_ids, **kwargs"),
    metric("keras.metrics.BinaryIoU", "metric.iou", "target_class_ids=(0, 1), threshold=0.5, **kwargs"),
    metric("keras.metrics.OneHotIoU", "metric.iou", "num_classes, target_class_ids, **kwargs"),
    metric("keras.metrics.OneHotMeanIoU", "metric.iou", "num_classes, **kwargs"),
    metric("keras.metrics.Mean", "metric.mean", "name='mean', dtype=None"),
    metric("keras.metrics.Sum", "metric.sum", "name='sum', dtype=None"),
    metric("keras.metrics.MeanMetricWrapper", "metric", "fn, name=None, dtype=None, **kwargs"),
    metric("keras.metrics.MeanTensor", "metric.mean"),
    function("keras.metrics.accuracy", "metric.accuracy"),
    function("keras.metrics.binary_accuracy", "metric.binary_accuracy", "y_true, y_pred, threshold=0.5"),
    function("keras.metrics.categorical_accuracy", "metric.categorical_accuracy"),
    function("keras.metrics.sparse_categorical_accuracy", "metric.sparse_categorical_accuracy"),
    function("keras.metrics.top_k_categorical_accuracy", "metric.top_k_categorical_accuracy", "y_true, y_pred, k=5"),
    function("keras.metrics.sparse_top_k_categorical_accuracy", "metric.sparse_top_k_categorical_accuracy", "y_true, y_pred, k=5"),
    function("keras.metrics.mse", "metric.mse"),
    function("keras.metrics.MSE", "metric.mse"),
    function("keras.metrics.mean_absolute_error", "metric.mae"),
    function("keras.metrics.mae", "metric.mae"),
    function("keras.metrics.MAE", "metric.mae"),
    function("keras.metrics.mean_absolute_percentage_error", "metric.mae"),
    function("keras.metrics.mean_squared_logarithmic_error", "metric.mse"),
    function("keras.metrics.binary_crossentropy", "metric.binary_crossentropy"),
    function("keras.metrics.categorical_crossentropy", "metric.categorical_crossentropy"),
    function("keras.metrics.sparse_categorical_crossentropy", "metric.sparse_categorical_crossentropy"),
    function("keras.metrics.hinge", "metric.hinge"),
    function("keras.metrics.kullback_leibler_divergence", "metric.kl"),
    function("keras.metrics.cosine_proximity", "metric.cosine"),
    function("keras.metrics.cosine_similarity", "metric.cosine"),
    function("keras.metrics.precision", "metric.precision"),
    function("keras.metrics.recall", "metric.recall"),
    function("keras.metrics.fmeasure", "metric.f1"),
    {"keras.metrics.get", "identifier", Role::opaque},

    {k_callback, "", Role::callback, "callback"},
    {"keras.callbacks.Callback.set_model", "model", Role::opaque},
    {"keras.callbacks.Callback.set_params", "params", Role::opaque},
    {"keras.callbacks.Callback.on_epoch_end", "epoch, logs=None", Role::opaque},
    {"keras.callbacks.Callback.on_epoch_begin", "epoch, logs=None", Role::opaque},
    {"keras.callbacks.Callback.on_train_begin", "logs=None", Role::opaque},
    {"keras.callbacks.Callback.on_train_end", "logs=None", Role::opaque},
    callback("keras.callbacks.EarlyStopping", "early_stopping", "monitor='val_loss', min_delta=0, patience=0, verbose=0, mode='auto', baseline=None, restore_best_weights=False, start_from_epoch=0"),
    callback("keras.callbacks.ModelCheckpoint", "model_checkpoint", "filepath, monitor='val_loss', verbose=0, save_best_only=False, save_weights_only=False, mode='auto', save_freq='epoch', **kwargs"),
    callback("keras.callbacks.ReduceLROnPlateau", "reduce_on_plateau", "monitor='val_loss', factor=0.1, patience=10, verbose=0, mode='auto', min_delta=0.0001, cooldown=0, min_lr=0, **kwargs"),
    callback("keras.callbacks.LearningRateScheduler", "schedule_callback", "schedule, verbose=0"),
    callback("keras.callbacks.TensorBoard", "callback", "log_dir='logs', histogram_freq=0, **kwargs"),
    callback("keras.callbacks.CSVLogger", "callback", "filename, separator=',', append=False"),
    callback("keras.callbacks.LambdaCallback", "callback", "on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None, on_batch_end=None, on_train_begin=None, on_train_end=None, **kwargs"),
    callback("keras.callbacks.TerminateOnNaN", "terminate_on_nan", ""),
    callback("keras.callbacks.History", "callback", ""),
    callback("keras.callbacks.BaseLogger", "callback", "stateful_metrics=None"),
    callback("keras.callbacks.ProgbarLogger", "callback", "count_mode='samples', stateful_metrics=None"),
    callback("keras.callbacks.RemoteMonitor", "callback", "root='', **kwargs"),
    callback("keras.callbacks.BackupAndRestore", "callback", "backup_dir, **kwargs"),
    callback("keras.callbacks.CallbackList", "callback", "callbacks=None, **kwargs"),
    callback("keras.callbacks.SwapEMAWeights", "callback", "swap_on_epoch=False"),
};
// clang-format on

} // namespace

std::span<const Api> keras_metrics()
{
  return k_rows;
}

} // namespace faultline::program
