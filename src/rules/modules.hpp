#pragma once

// What a module of PyTorch is made of.

#include "rules/rule.hpp"

#include <vector>

namespace faultline::rules {

bool is_optimizer(const program::Value* value);
bool is_module(
    const program::Value* value); // an object of PyTorch's Module or a class derived from it

// `module` and all modules that are registered in it: attributes that are modules, members of
// containers, what a wrapper wraps.
std::vector<const Instance*> parts_of(const Instance& module);
bool is_part_of(const Instance* part, const Instance& module);

// The call stands in a method of a module, which knows whether it is being trained.
bool is_in_module(const Call& call);

// It has weights of its own or in a part.
bool has_weights(const Instance& module);

// Dropout or batch normalisation somewhere inside, so that train() and eval() matter. The first
// such part; null if none is known of.
const Instance* mode_dependent_part(const Instance& module);

} // namespace faultline::rules
