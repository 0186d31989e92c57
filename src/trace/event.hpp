#pragma once

// What a probe records while a program trains. docs/trace-format.md describes the stream; an
// unknown number is absent (nullopt, or NaN in the packed records).

#include "base/json.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace faultline::trace {

inline constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();

// A line of the program.
struct Site {
  std::string file; // as the program was started: relative to its folder where it is inside
  int line = 0;     // 0: unknown
  std::string text; // the line itself
};

// The program and the probe, once at the start.
struct Start {
  std::string framework; // "torch", "tensorflow", "libtorch", "tfjs"
  std::string version;
  std::vector<std::string> command;
  int every = 0; // steps between two checks once the schedule has settled
};

// A layer: a module with parameters, an activation, or an activation function at one line. Sent
// again when more is known.
struct Layer {
  int id = 0;
  std::string name; // "encoder.fc2"; for a function its name
  std::string kind; // "Linear", "ReLU", "relu", "Conv2d", "dense"
  Site site;        // where it was made
  bool called = false;
  int order = -1;                      // of its first call in a step, -1 if never called
  std::vector<std::string> parameters; // "weight", "bias"
  std::vector<bool> optimised;         // whether an optimizer has it
  std::vector<bool> trainable;         // requires_grad
  Json settings = Json::object();      // in_features, p, eps, …
};

struct Optimizer {
  std::string kind; // "Adam"
  Site site;
  Json settings = Json::object(); // lr, eps, momentum, weight_decay, …
};

// Facts about a tensor: the model's input, the target of the loss, or the prediction.
struct TensorFacts {
  std::vector<int64_t> shape;
  std::string dtype;
  double min = k_unknown, max = k_unknown, mean = k_unknown, std = k_unknown;
  int64_t nan = 0, inf = 0;
  std::optional<int64_t> constant_columns; // of a matrix: columns with one value only
  std::optional<double>
      column_scale_ratio;         // largest standard deviation of a column divided by the smallest
  std::optional<double> negative; // share of values below zero
  std::optional<double> row_sum_min, row_sum_max;
  std::optional<double> fraction;    // share of values that are not integers
  std::vector<int64_t> class_counts; // of a target of classes
  std::optional<int64_t> distinct;   // distinct values of a target
  std::optional<double>
      largest_share; // of a prediction: share of rows that predict the most common class
};

// A call of a loss function, or a scalar that backward() was called on: first call of each site,
// and at every check.
struct LossUse {
  uint32_t step = 0;
  std::string kind; // "cross_entropy", "mse_loss", …; empty: of the program's own making
  Site site;
  std::string reduction;
  bool evaluating = false; // gradients are off
  std::optional<TensorFacts> input, prediction, target;
};

struct Step {
  uint32_t step = 0;
  uint32_t epoch = 0;
  double loss = k_unknown;
  double rate = k_unknown;     // learning rate
  double accuracy = k_unknown; // of the batch, where targets are classes
  double seconds = 0;          // since the program started
  uint32_t samples = 0;
};

enum class Role : uint8_t { input, output, weight, gradient, update };

std::string_view name_of(Role role);

struct TensorStats {
  uint32_t step = 0;
  int layer = 0;
  Role role = Role::output;
  uint8_t slot = 0; // which parameter of the layer
  uint64_t count = 0, nan = 0, inf = 0;
  double zeros = 0; // share
  double mean = 0, std = 0, min = 0, max = 0, norm = 0;
  uint32_t units = 0, dead = 0; // outputs: units, and those that are zero on the whole batch
  double saturated = 0;         // outputs of sigmoid and tanh: share at the ends of the range
};

// The end of a check: all records of the step have been sent.
struct Check {
  uint32_t step = 0;
  uint64_t memory_kib = 0; // resident; for tfjs the bytes of all tensors
  uint64_t tensors = 0;    // alive, where the framework counts them
};

// A pass over data without gradients, between two training steps.
struct Evaluation {
  uint32_t step = 0;
  double loss = k_unknown, accuracy = k_unknown;
  uint32_t batches = 0;
  bool training_mode = false; // some dropout or batch normalisation was left in training mode
  Site site;
};

// Something tried on a copy of the process: "double-batch", "overfit", "zero-input", "mixing",
// "eval-mode", with its measured values.
struct Experiment {
  std::string name;
  Json values = Json::object();
};

// A use of the library that may be a mistake. docs/trace-format.md says what the values mean.
struct Observation {
  std::string name; // "padded-target", "state-kept", …
  uint32_t step = 0;
  Site site;
  Json values = Json::object();
};

// The origin of the first NaN or infinity.
struct NonFinite {
  uint32_t step = 0;
  bool backward = false;
  std::string operation; // "log", "div"; "data" if the input had it
  Site site;
  int layer = -1;
  std::vector<TensorFacts> operands;
  TensorFacts result;
};

// The program ended with an uncaught exception.
struct Crash {
  std::string exception, message;
  std::vector<Site> frames; // outermost first, those of the program only
  int layer = -1;           // whose call raised it
  std::string operation;    // the library's function
  Json facts = Json::object();
};

// The probe itself failed and writes nothing more. The program continues.
struct Problem {
  std::string message;
};

struct End {
  int status = 0; // -1: unknown, the stream ended early
  uint32_t steps = 0;
};

using Event = std::variant<Start,
                           Layer,
                           Optimizer,
                           LossUse,
                           Step,
                           TensorStats,
                           Check,
                           Evaluation,
                           Experiment,
                           Observation,
                           NonFinite,
                           Crash,
                           Problem,
                           End>;

} // namespace faultline::trace
