#pragma once

// Queries on a trace that several symptoms use.

#include "trace/trace.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::trace {

// "1.2e-07", "0.693"; "-0" is "0".
std::string number(double value);

// Whether `text` has one of the words, whatever their case.
bool mentions(std::string_view text, std::initializer_list<std::string_view> words);

// Kinds of layers of both frameworks: "Linear" and "dense", "Conv2d" and "conv2d".
bool is_dense(const Layer& layer);
bool is_convolution(const Layer& layer);
bool is_pooling(const Layer& layer);
bool is_normalisation(const Layer& layer);
bool is_recurrent(const Layer& layer);
bool is_embedding(const Layer& layer);
bool is_dropout(const Layer& layer);
// Whether it multiplies weights with its input: dense, convolution, recurrent.
bool is_learning(const Layer& layer);
// "relu", "sigmoid", "softmax", …: of an activation, or of the one built into a layer of
// TensorFlow.js; empty if there is none.
std::string activation_of(const Layer& layer);

bool has_regulariser(const Trace& trace); // dropout, or weight decay

// The last called layer with weights, and the activation called after it, if any.
const Layer* last_learning_layer(const Trace& trace);
const Layer* head_activation(const Trace& trace);

// Whether the output of `from` was the input of `to`: as the probe says (`fed_by`), or number for
// number in some check.
bool feeds(const Trace& trace, const Layer& from, const Layer& to);

// The family of a loss function, from its name in either framework.
enum class LossFamily {
  unknown,           // of the program's own making
  logits,            // cross entropy that applies softmax itself
  log_probabilities, // negative log likelihood
  probabilities,     // cross entropy of probabilities
  binary_logits,     // binary cross entropy that applies sigmoid itself
  binary_probabilities,
  difference, // squared, absolute and the like: element by element
  other
};
LossFamily family_of(std::string_view kind);
inline LossFamily family_of(const LossUse& use)
{
  return family_of(use.kind);
}
// A loss of these families cannot be below zero if its arguments are what they should be.
bool is_never_negative(LossFamily family);

// Uses of losses in training, oldest first.
std::vector<const LossUse*> training_losses(const Trace& trace);

// The observations with this name, oldest first.
std::vector<const Observation*> observations_of(const Trace& trace, std::string_view name);

int64_t elements(const std::vector<int64_t>& shape);
std::string print_shape(const std::vector<int64_t>& shape);

// The last `n` records that are at least five steps apart, oldest first; none if there are fewer.
// The first steps are all checks, but five steps in a row are not a trend.
std::vector<TensorStats> last_of(const std::vector<TensorStats>& series, size_t n);

// The loss (or accuracy) over the run, averaged over `windows` equal parts; parts without a number
// are left out. Empty if there are fewer records than twice the windows.
std::vector<double> loss_windows(const Trace& trace, size_t windows);
std::vector<double> accuracy_windows(const Trace& trace, size_t windows);

// How far training has come.
struct Progress {
  bool known = false;          // at least 5 losses over at least 20 steps
  double first = 0, last = 0;  // loss, averaged over a tenth of the run, at most 20 steps
  double best = 0;             // smallest such average
  double accuracy = k_unknown; // of the last tenth
  double first_accuracy = k_unknown;

  // The loss has fallen by a fifth, or the accuracy is fair.
  bool learns() const;
  bool fails() const { return known && !learns(); }
};
Progress progress_of(const Trace& trace);

// Whether there is a NaN or infinity or the loss has diverged: the run cannot recover.
bool has_broken_down(const Trace& trace);

double setting(const Json& settings, std::string_view key); // k_unknown if it is not a number
// Safe to print; empty if it is not a string.
std::string text_of(const Json& values, std::string_view key);

uint32_t last_step(const Trace& trace);

} // namespace faultline::trace
