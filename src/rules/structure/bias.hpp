#pragma once

// Biases of layers, and how to leave them out.

#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"

namespace faultline::rules {

bool has_bias(const Call& layer);       // surely
std::string no_bias(const Call& layer); // "bias=False", as the layer's library spells it

// Add the edit that makes the layer have none.
void offer_no_bias(const Program& program, const Call& layer, Draft& draft);

} // namespace faultline::rules
