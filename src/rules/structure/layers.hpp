#pragma once

// The layers of a network and how they follow each other. Everything is read backwards: a tensor
// knows the call that made it, so a path is followed from a layer to what it is applied to.

#include "rules/rule.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace faultline::rules {

bool is_dense(const Call& call);       // a dense layer, or the product with a matrix of weights
bool is_convolution(const Call& call); // of any kind, transposed ones too
bool is_pooling(const Call& call);     // not unpooling
bool is_dropout(const Call& call);     // masks units; noise and SELU's dropout are something else
// An activation that bends: neither `linear` nor a layer that only forwards to another activation.
bool is_nonlinear(const Call& call);
// A linear map with weights: what follows one needs an activation in between.
inline bool is_mixing(const Call& call)
{
  return is_dense(call) || is_convolution(call);
}
bool is_learning(const Call& call); // those, and embeddings, recurrent layers, attention

// Weights that the program trains, whatever was done to them (transposed, cast).
bool is_weight(const Tensor* tensor);
const Tensor* weight_of(const Call& call); // of a product or convolution that is handed its weights

// What a call works on besides weights. Null if it joins several tensors, or if that is not known.
const Tensor* data_input(const Call& call);
// The call that made it; null at the beginning of a path too.
const Call* call_before(const Call& call);
// The next learning layer on the way back. Null if the path ends or splits before.
const Call* learning_layer_before(const Call& call);

// The operations on a tensor: neither reads of its attributes nor whole models, whose layers count.
std::vector<const Call*> uses_of(const Program& program, const Tensor* tensor);

std::optional<int64_t> units_of(const Call& layer); // outputs of a dense layer, filters of others
std::optional<std::vector<int64_t>> kernel_of(const Call& convolution); // one size each axis
// Sizes along which a convolution or pooling slides; unknown ones where the layout is not known.
std::vector<program::Dim> positions_of(const Call& layer, const Tensor& maps);
bool has_stride(const Call& layer); // surely more than 1
// Where the layer is written: the constructor where there is one, for settings that are missing.
const Call& constructor_of(const Call& layer);

// Learning layers that another learning layer is applied to, so that they are not a model's last.
std::unordered_set<const Call*> inner_layers(const Program& program);

// The program trains something: a model that is only declared is none of our business.
bool is_trained(const Program& program);

} // namespace faultline::rules
