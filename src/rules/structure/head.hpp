#pragma once

// The end of a network as a loss sees it.

#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"

namespace faultline::rules {

struct Head {
  const Call* activation = nullptr; // the last one; null if there is none
  const Call* layer = nullptr;      // the last learning layer; null if not known
  bool known = false;               // an activation or a bare layer was surely found

  bool ends_in(std::string_view op) const { return activation != nullptr && activation->is(op); }
};

// Reshapes, casts and dropout behind the activation are passed over; after any other arithmetic
// nothing is known.
Head head_of(const Tensor* prediction);

// "its output has no activation", "`relu` is its last activation".
std::string described(const Head& head);
// Where the head is written: the activation, else the layer, else `otherwise`.
Span place_of(const Head& head, Span otherwise);

// A loss of probabilities on a model that ends in something else: the end of the model is reported,
// with the edit that makes `activation` its last one.
void report_wrong_head(const Program& program,
                       const LossUse& use,
                       const Head& head,
                       std::string_view activation,
                       std::string_view takes_the_log_of,
                       Reporter& report);

bool has_one_hot_labels(const LossUse& use);
// "'mse'" of compile, "nn.MSELoss" of a call.
std::string loss_words(const Program& program, const LossUse& use);

} // namespace faultline::rules
