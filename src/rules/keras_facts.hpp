#pragma once

// Questions about Keras models that several rules ask.

#include "rules/values.hpp"

namespace faultline::rules {

// The input_shape that the first layer of a Sequential model was given; null if none was.
const program::Argument* declared_input_shape(const Instance* model);

// The constant behind a value; nothing if it is not known or of another kind.
std::optional<int64_t> whole(Ref value);
bool is_true(Ref value);

// `part` is the model itself, one of its layers, or a layer of a model inside.
bool holds(const Instance& model, const Instance* part);

// A layer of the model that behaves differently when training; null if none is known.
const Instance* mode_dependent_layer(const Instance& model);

// The model was handed to something that was not followed, before call number `order`.
bool escapes(const Program& program, const Instance& model, size_t order);

// The program adds losses by `add_loss` or computes them in a `train_step` of its own.
bool uses_added_loss(const Program& program);

// The call that made the generator which `fit` reads; null if it reads arrays.
const Call* generator_behind(const Call& fit);

} // namespace faultline::rules
