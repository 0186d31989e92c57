#pragma once

// Rows that tables of TensorFlow and of Keras' backend write in the same way.

#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/api.hpp"

#include <string_view>

namespace faultline::program::tf {

// True or false, a rounded number: nothing learns through it.
constexpr uint32_t k_step = k_elementwise | k_no_gradient;

constexpr uint32_t k_activating = k_activation | k_elementwise;

// An activation that is a function.
constexpr Api activates(std::string_view name, std::string_view op, std::string_view signature)
{
  return {name, signature, Role::function, op, k_activating, activation};
}

constexpr Api attribute(std::string_view name, Transfer transfer = nullptr)
{
  return {name, {}, Role::attribute, {}, 0, transfer};
}

// The elements of its argument in another order or shape.
constexpr Api
moves(std::string_view name, std::string_view signature, std::string_view op, Transfer transfer)
{
  return {name, signature, Role::function, op, k_reshaping, transfer};
}

// A tensor from nothing.
constexpr Api makes(std::string_view name,
                    std::string_view signature,
                    std::string_view op,
                    Transfer transfer,
                    uint32_t traits = k_source)
{
  return {name, signature, Role::function, op, traits, transfer};
}

} // namespace faultline::program::tf
