#include "rules/versions/changes.hpp"

namespace faultline::rules {

// clang-format off
static constexpr NameChange k_names[] = {
    // Keras.
    {"keras", "keras.layers.Convolution1D", "Conv1D", "2.0", "3.0"},
    {"keras", "keras.layers.Convolution2D", "Conv2D", "2.0", "3.0"},
    {"keras", "keras.layers.Convolution3D", "Conv3D", "2.0", "3.0"},
    {"keras", "keras.layers.Merge", "add, multiply, concatenate or dot", "2.0", "2.2"},
    {"keras", "keras.layers.merge", "add, multiply, concatenate or dot", "2.0", "2.2"},
    {"keras", "keras.layers.MaxoutDense", "a layer of your own", "2.0", "2.2"},
    {"keras", "keras.layers.TimeDistributedDense", "TimeDistributed(Dense(…))", "1.0", "2.0"},
    {"keras", "keras.layers.CuDNNLSTM", "LSTM", "2.4", "3.0"},
    {"keras", "keras.layers.CuDNNGRU", "GRU", "2.4", "3.0"},
    {"keras", "keras.utils.np_utils", "keras.utils", "2.3", "2.13", true},
    {"keras", "keras.layers.core", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.layers.convolutional", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.layers.pooling", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.layers.recurrent", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.layers.normalization.BatchNormalization", "keras.layers.BatchNormalization", "2.3", "2.13"},
    {"keras", "keras.layers.advanced_activations", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.layers.embeddings", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.engine", "keras.layers", "2.3", "2.13", true},
    {"keras", "keras.Model.fit_generator", "fit", "2.4", "3.0"},
    {"keras", "keras.Model.evaluate_generator", "evaluate", "2.4", "3.0"},
    {"keras", "keras.Model.predict_generator", "predict", "2.4", "3.0"},
    {"keras", "keras.Sequential.predict_classes", "predict and argmax", "2.3", "2.6"},
    {"keras", "keras.Sequential.predict_proba", "predict", "2.3", "2.6"},
    // TensorFlow 0 to 1.
    {"tensorflow", "tensorflow.mul", "tf.multiply", "0.12", "1.0"},
    {"tensorflow", "tensorflow.sub", "tf.subtract", "0.12", "1.0"},
    {"tensorflow", "tensorflow.neg", "tf.negative", "0.12", "1.0"},
    {"tensorflow", "tensorflow.pack", "tf.stack", "0.12", "1.0"},
    {"tensorflow", "tensorflow.unpack", "tf.unstack", "0.12", "1.0"},
    {"tensorflow", "tensorflow.select", "tf.where", "0.12", "1.0"},
    {"tensorflow", "tensorflow.batch_matmul", "tf.matmul", "0.12", "1.0"},
    {"tensorflow", "tensorflow.complex_abs", "tf.abs", "0.12", "1.0"},
    {"tensorflow", "tensorflow.listdiff", "tf.setdiff1d", "0.12", "1.0"},
    {"tensorflow", "tensorflow.inv", "tf.reciprocal", "0.12", "1.0"},
    {"tensorflow", "tensorflow.all_variables", "tf.global_variables", "0.12", "2.0"},
    {"tensorflow", "tensorflow.initialize_all_variables", "tf.global_variables_initializer", "0.12", "2.0"},
    {"tensorflow", "tensorflow.initialize_variables", "tf.variables_initializer", "0.12", "2.0"},
    {"tensorflow", "tensorflow.initialize_local_variables", "tf.local_variables_initializer", "0.12", "2.0"},
    {"tensorflow", "tensorflow.scalar_summary", "tf.summary.scalar", "0.12", "1.0"},
    {"tensorflow", "tensorflow.histogram_summary", "tf.summary.histogram", "0.12", "1.0"},
    {"tensorflow", "tensorflow.image_summary", "tf.summary.image", "0.12", "1.0"},
    {"tensorflow", "tensorflow.audio_summary", "tf.summary.audio", "0.12", "1.0"},
    {"tensorflow", "tensorflow.merge_summary", "tf.summary.merge", "0.12", "1.0"},
    {"tensorflow", "tensorflow.merge_all_summaries", "tf.summary.merge_all", "0.12", "1.0"},
    {"tensorflow", "tensorflow.train.SummaryWriter", "tf.summary.FileWriter", "0.12", "1.0"},
    {"tensorflow", "tensorflow.nn.rnn_cell", "tf.keras.layers", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.nn.seq2seq", "tf.contrib.legacy_seq2seq", "0.12", "1.0", true},
    {"tensorflow", "tensorflow.models.rnn", "tf.nn.rnn_cell", "0.9", "1.0", true},
    {"tensorflow", "tensorflow.python.ops.rnn_cell", "tf.nn.rnn_cell", "0.12", "1.0", true},
    // TensorFlow 1 to 2.
    {"tensorflow", "tensorflow.placeholder", "tf.function with arguments", "1.14", "2.0"},
    {"tensorflow", "tensorflow.Session", "eager execution", "1.14", "2.0"},
    {"tensorflow", "tensorflow.InteractiveSession", "eager execution", "1.14", "2.0"},
    {"tensorflow", "tensorflow.get_variable", "tf.Variable", "1.14", "2.0"},
    {"tensorflow", "tensorflow.variable_scope", "tf.Module", "1.14", "2.0"},
    {"tensorflow", "tensorflow.global_variables_initializer", "nothing: variables are made at once", "1.14", "2.0"},
    {"tensorflow", "tensorflow.layers", "tf.keras.layers", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.app", "absl", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.flags", "absl.flags", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.gfile", "tf.io.gfile", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.logging", "logging", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.ConfigProto", "tf.config", "1.14", "2.0"},
    {"tensorflow", "tensorflow.reset_default_graph", "tf.Graph", "1.14", "2.0"},
    {"tensorflow", "tensorflow.set_random_seed", "tf.random.set_seed", "1.14", "2.0"},
    {"tensorflow", "tensorflow.log", "tf.math.log", "1.14", "2.0"},
    {"tensorflow", "tensorflow.random_normal", "tf.random.normal", "1.14", "2.0"},
    {"tensorflow", "tensorflow.random_uniform", "tf.random.uniform", "1.14", "2.0"},
    {"tensorflow", "tensorflow.truncated_normal", "tf.random.truncated_normal", "1.14", "2.0"},
    {"tensorflow", "tensorflow.to_float", "tf.cast", "1.13", "2.0"},
    {"tensorflow", "tensorflow.to_int32", "tf.cast", "1.13", "2.0"},
    {"tensorflow", "tensorflow.to_int64", "tf.cast", "1.13", "2.0"},
    {"tensorflow", "tensorflow.div", "/", "1.13", "2.0"},
    {"tensorflow", "tensorflow.Print", "tf.print", "1.13", "2.0"},
    {"tensorflow", "tensorflow.contrib", "TensorFlow Addons or tf_slim", "1.14", "2.0", true},
    {"tensorflow", "tensorflow.image.resize_images", "tf.image.resize", "1.14", "2.0"},
    {"tensorflow", "tensorflow.image.resize_bilinear", "tf.image.resize", "1.14", "2.0"},
    {"tensorflow", "tensorflow.train.AdamOptimizer", "tf.keras.optimizers.Adam", "1.14", "2.0"},
    {"tensorflow", "tensorflow.train.GradientDescentOptimizer", "tf.keras.optimizers.SGD", "1.14", "2.0"},
    {"tensorflow", "tensorflow.train.RMSPropOptimizer", "tf.keras.optimizers.RMSprop", "1.14", "2.0"},
    {"tensorflow", "tensorflow.train.AdagradOptimizer", "tf.keras.optimizers.Adagrad", "1.14", "2.0"},
    {"tensorflow", "tensorflow.train.MomentumOptimizer", "tf.keras.optimizers.SGD", "1.14", "2.0"},
    {"tensorflow", "tensorflow.examples.tutorials", "tf.keras.datasets", "1.8", "2.0", true},
    // PyTorch.
    {"torch", "torch.autograd.Variable", "the tensor itself", "0.4", ""},
    {"torch", "torch.nn.functional.sigmoid", "torch.sigmoid", "1.0", ""},
    {"torch", "torch.nn.functional.tanh", "torch.tanh", "1.0", ""},
    {"torch", "torch.nn.init.xavier_uniform", "nn.init.xavier_uniform_", "0.4", ""},
    {"torch", "torch.nn.init.xavier_normal", "nn.init.xavier_normal_", "0.4", ""},
    {"torch", "torch.nn.init.kaiming_uniform", "nn.init.kaiming_uniform_", "0.4", ""},
    {"torch", "torch.nn.init.kaiming_normal", "nn.init.kaiming_normal_", "0.4", ""},
    {"torch", "torch.nn.init.normal", "nn.init.normal_", "0.4", ""},
    {"torch", "torch.nn.init.uniform", "nn.init.uniform_", "0.4", ""},
    {"torch", "torch.nn.init.constant", "nn.init.constant_", "0.4", ""},
    {"torch", "torch.nn.utils.clip_grad_norm", "clip_grad_norm_", "0.4", ""},
    {"torch", "torch.range", "torch.arange", "0.4", ""},
    {"torch", "torch.ger", "torch.outer", "1.8", ""},
    {"torch", "torch.norm", "torch.linalg.norm", "1.7", ""},
    {"torch", "torch.svd", "torch.linalg.svd", "1.8", ""},
    {"torch", "torch.qr", "torch.linalg.qr", "1.8", ""},
    {"torch", "torch.cholesky", "torch.linalg.cholesky", "1.8", ""},
    {"torch", "torch.chain_matmul", "torch.linalg.multi_dot", "1.9", ""},
    {"torch", "torch.solve", "torch.linalg.solve, with its arguments swapped", "1.8", "1.13"},
    {"torch", "torch.symeig", "torch.linalg.eigh", "1.9", "2.0"},
    {"torch", "torch.lstsq", "torch.linalg.lstsq", "1.9", "1.13"},
    {"torch", "torch.matrix_rank", "torch.linalg.matrix_rank", "1.9", "1.13"},
    {"torch", "torch.eig", "torch.linalg.eig", "1.9", "1.13"},
    {"torch", "torch.rfft", "torch.fft.rfft", "1.7", "1.8"},
    {"torch", "torch.irfft", "torch.fft.irfft", "1.7", "1.8"},
    {"torch", "torch.nn.UpsamplingNearest2d", "nn.Upsample", "1.0", ""},
    {"torch", "torch.nn.UpsamplingBilinear2d", "nn.Upsample", "1.0", ""},
    {"torch", "torch.cuda.amp.autocast", "torch.amp.autocast", "2.4", ""},
    {"torchvision", "torchvision.transforms.Scale", "transforms.Resize", "0.2", "0.13"},
    {"torchvision", "torchvision.transforms.RandomSizedCrop", "transforms.RandomResizedCrop", "0.2", "0.13"},
    // NumPy and scikit-learn.
    {"numpy", "numpy.int", "int", "1.20", "1.24"},
    {"numpy", "numpy.float", "float", "1.20", "1.24"},
    {"numpy", "numpy.bool", "bool", "1.20", "1.24"},
    {"numpy", "numpy.object", "object", "1.20", "1.24"},
    {"numpy", "numpy.str", "str", "1.20", "1.24"},
    {"sklearn", "sklearn.cross_validation", "sklearn.model_selection", "0.18", "0.20", true},
    {"sklearn", "sklearn.grid_search", "sklearn.model_selection", "0.18", "0.20", true},
    {"sklearn", "sklearn.externals.joblib", "joblib", "0.21", "0.23", true},
    {"sklearn", "sklearn.preprocessing.Imputer", "sklearn.impute.SimpleImputer", "0.20", "0.22"},
    {"sklearn", "sklearn.datasets.load_boston", "another data set", "1.0", "1.2"},
    {"sklearn", "sklearn.metrics.plot_confusion_matrix", "ConfusionMatrixDisplay", "1.0", "1.2"},
};

static constexpr ArgumentChange k_arguments[] = {
    {"keras", "keras.", "nb_epoch", "epochs", "2.0", "2.3"},
    {"keras", "keras.", "samples_per_epoch", "steps_per_epoch", "2.0", "2.3"},
    {"keras", "keras.", "nb_val_samples", "validation_steps", "2.0", "2.3"},
    {"keras", "keras.", "nb_worker", "workers", "2.0", "2.3"},
    {"keras", "keras.layers.", "nb_filter", "filters", "2.0", "2.3"},
    {"keras", "keras.layers.", "nb_row", "kernel_size", "2.0", "2.3"},
    {"keras", "keras.layers.", "nb_col", "kernel_size", "2.0", "2.3"},
    {"keras", "keras.layers.", "filter_length", "kernel_size", "2.0", "2.3"},
    {"keras", "keras.layers.", "subsample", "strides", "2.0", "2.3"},
    {"keras", "keras.layers.", "border_mode", "padding", "2.0", "2.3"},
    {"keras", "keras.layers.", "dim_ordering", "data_format", "2.0", "2.3"},
    {"keras", "keras.layers.", "init", "kernel_initializer", "2.0", "2.3"},
    {"keras", "keras.layers.", "W_regularizer", "kernel_regularizer", "2.0", "2.3"},
    {"keras", "keras.layers.", "b_regularizer", "bias_regularizer", "2.0", "2.3"},
    {"keras", "keras.layers.", "W_constraint", "kernel_constraint", "2.0", "2.3"},
    {"keras", "keras.layers.Dense", "output_dim", "units", "2.0", "2.3"},
    {"keras", "keras.layers.Dense", "bias", "use_bias", "2.0", "2.3"},
    {"keras", "keras.layers.Dropout", "p", "rate", "2.0", "2.3"},
    {"keras", "keras.Model", "input", "inputs", "2.0", "2.3"},
    {"keras", "keras.Model", "output", "outputs", "2.0", "2.3"},
    {"keras", "keras.optimizers.", "lr", "learning_rate", "2.3", "3.0"},
    {"keras", "keras.optimizers.", "decay", "a learning-rate schedule", "2.11", "3.0"},
    {"tensorflow", "tensorflow.reduce_", "reduction_indices", "axis", "1.0", "2.0"},
    {"tensorflow", "tensorflow.reduce_", "keep_dims", "keepdims", "1.5", "2.0"},
    {"tensorflow", "tensorflow.argmax", "dimension", "axis", "1.0", "2.0"},
    {"tensorflow", "tensorflow.argmin", "dimension", "axis", "1.0", "2.0"},
    {"tensorflow", "tensorflow.expand_dims", "dim", "axis", "1.0", "2.0"},
    {"tensorflow", "tensorflow.nn.softmax", "dim", "axis", "1.5", "2.0"},
    {"tensorflow", "tensorflow.nn.dropout", "keep_prob", "rate = 1 - keep_prob", "1.13", "2.0"},
    {"torch", "torch.nn.", "size_average", "reduction", "0.4", ""},
    {"torch", "torch.autograd.Variable", "volatile", "torch.no_grad()", "0.4", "0.4"},
    {"torch", "torch.Tensor.cuda", "async", "non_blocking", "0.4", "0.4"},
    {"torchvision", "torchvision.models.", "pretrained", "weights", "0.13", ""},
    {"sklearn", "sklearn.preprocessing.OneHotEncoder", "sparse", "sparse_output", "1.2", "1.4"},
    {"sklearn", "sklearn.preprocessing.OneHotEncoder", "categorical_features", "a ColumnTransformer", "0.20", "0.22"},
};

// Names that a version brought: who uses them has at least that version.
struct Arrival {
  std::string_view library;
  std::string_view name;
  std::string_view since;
};
static constexpr Arrival k_arrivals[] = {
    {"tensorflow", "tensorflow.function", "2.0"},
    {"tensorflow", "tensorflow.compat.v1", "1.13"},
    {"tensorflow", "tensorflow.random.set_seed", "2.0"},
    {"tensorflow", "tensorflow.keras.utils.image_dataset_from_directory", "2.9"},
    {"tensorflow", "tensorflow.keras.optimizers.AdamW", "2.11"},
    {"tensorflow", "tensorflow.data", "1.4"},
    {"tensorflow", "tensorflow.layers", "1.0"},
    {"tensorflow", "tensorflow.losses", "1.0"},
    {"tensorflow", "tensorflow.global_variables_initializer", "0.12"},
    {"keras", "keras.ops", "3.0"},
    {"keras", "keras.saving", "2.12"},
    {"torch", "torch.no_grad", "0.4"},
    {"torch", "torch.device", "0.4"},
    {"torch", "torch.inference_mode", "1.9"},
    {"torch", "torch.linalg", "1.7"},
    {"torch", "torch.compile", "2.0"},
    {"torch", "torch.func", "2.0"},
    {"torch", "torch.amp.autocast", "1.10"},
};
// clang-format on

std::span<const NameChange> name_changes()
{
  return k_names;
}

std::span<const ArgumentChange> argument_changes()
{
  return k_arguments;
}

static bool lies_below(std::string_view path, std::string_view name)
{
  return path == name || (path.starts_with(name) && path[name.size()] == '.');
}

std::optional<program::Version> known_version(const Program& program, std::string_view library)
{
  if (const auto pinned = program.pinned(std::string(library))) {
    return pinned;
  }
  std::optional<program::Version> newest;
  for (const Arrival& arrival : k_arrivals) {
    if (arrival.library != library) {
      continue;
    }
    for (const program::NameUse& use : program.name_uses()) {
      if (lies_below(use.written, arrival.name)) {
        const auto since = program::Version::parse(arrival.since);
        newest = newest ? std::max(newest, since) : since;
        break;
      }
    }
  }
  return newest;
}

std::optional<Severity> severity_of(std::optional<program::Version> version,
                                    std::string_view deprecated,
                                    std::string_view gone)
{
  if (!version) {
    return Severity::info;
  }
  if (const auto end = program::Version::parse(gone); end && *version >= *end) {
    return Severity::error;
  }
  if (const auto start = program::Version::parse(deprecated); start && *version >= *start) {
    return Severity::warning;
  }
  return std::nullopt;
}

} // namespace faultline::rules
