#pragma once

// What the rules about losses ask of a loss use: its labels, its head, the words for both.

#include "rules/rule.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::rules {

using program::LossInput;
using program::LossKind;

// The labels, if they are one tensor.
const Tensor* labels_of(const LossUse& use);

// Stands for what is wrong with the labels of this loss: the call that the shape rules point at
// too.
const void* label_cause(const LossUse& use);

bool is_classifying(LossKind kind); // any cross entropy or NLL
bool is_distance(LossKind kind);    // squared, absolute, Huber

// The last learning layer before the loss; activations, reshapes and biases are passed over. Null
// if something else is met first.
const Call* output_layer(const LossUse& use);
// Where the number of outputs is written (`units=`), else the layer itself.
Span width_place(const Call& layer);

bool is_squashing(const Call& call); // softmax, log-softmax, sigmoid

// The values are whole numbers that name classes.
bool are_indices(const Tensor& labels);
// Labels that tell classes apart, however encoded.
bool are_classes(const Tensor& labels);

// "categorical cross entropy": for messages.
std::string_view words_for(LossKind kind);
// The loss as written: `'mse'` of compile, `nn.MSELoss` of a call.
std::string loss_text(const Program& program, const LossUse& use);

// The metrics handed to compile, by their short name: 'accuracy', keras.metrics.BinaryAccuracy() →
// "binary_accuracy". A metric that is not understood is left out.
struct Metric {
  std::string name;
  Span span;
};
std::vector<Metric> metrics_of(const LossUse& use);

} // namespace faultline::rules
