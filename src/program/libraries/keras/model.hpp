#pragma once

// Keras models as graphs: a Sequential's layers applied one after the other, a functional model's
// inputs and outputs, and both applied to new tensors.

#include "program/machine/machine.hpp"

#include <vector>

namespace faultline::program::keras {

bool is_sequential(const Instance& model);
// A class of the program that runs its own `call`.
bool is_subclassed(const Instance& model);

// The tensors between which a model lies; empty where they are not known (yet).
struct Ends {
  std::vector<Tensor*> inputs;
  std::vector<Tensor*> outputs;
};
Ends ends_of(Machine& machine, Instance& model);
// Its layers in order. `all` is false if there may be more.
struct Layers {
  std::vector<Ref> items;
  bool all = true;
};
Layers layers_of(Machine& machine, Instance& model);

// Apply the layers, if not done yet, to what the model declares, or else to tensors like `data`.
void build(Machine& machine, Instance& model, const std::vector<Tensor*>& data, Span span);

// Tensors in a value: itself, or members of a list, tuple or dict.
std::vector<Tensor*> tensors_in(Machine& machine, Ref value);

// --- sequential.cpp ---
void add_layer(Machine& machine, Instance& model, Ref layer);
void drop_layer(Machine& machine, Instance& model);
// The layers so far, those of the constructor included.
std::vector<Ref>& sequential_layers(Machine& machine, Instance& model);
// Apply all layers that were not applied yet; start with `input` unless they have a beginning.
void extend(Machine& machine, Instance& model, Tensor* input);
Ends sequential_ends(Machine& machine, Instance& model);
Ref apply_sequential(Machine& machine, Call& call);

// --- functional.cpp ---
Ref apply_functional(Machine& machine, Call& call);
std::vector<Ref> functional_layers(const Ends& ends);

// Calls since number `first` that made `result` belong to a model that is being built.
void mark_built(Ref result, size_t first);

// False, with a problem, if the data cannot be what the model takes.
bool expect_input(
    Machine& machine, const Call& call, Span span, const Tensor& data, const Tensor& declared);

} // namespace faultline::program::keras
