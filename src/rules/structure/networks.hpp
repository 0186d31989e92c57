#pragma once

// Whole networks, for rules about the order and sizes of their layers.

#include "rules/structure/layers.hpp"

namespace faultline::rules {

// Everything from the data to a model's last learning layer, in order. The path neither splits nor
// joins.
struct Network {
  std::vector<const Call*> calls;
  const Tensor* input = nullptr; // what the first call is applied to; never null

  std::vector<const Call*> convolutions() const; // without 1×1 ones
  std::vector<const Call*> dense_layers() const;
  size_t size() const; // convolutions and pooling layers, the usual measure of a CNN's depth
};

// Networks that are trained to classify or to predict numbers. Conventions about sizes do not hold
// for autoencoders, U-Nets, GANs, siamese and attention networks, so these are left out.
std::vector<Network> plain_networks(const Program& program);

// A rule's check of each of them by itself.
template <void (*check_network)(const Program&, const Network&, Reporter&)>
void check_plain_networks(const Program& program, Reporter& report)
{
  for (const Network& network : plain_networks(program)) {
    check_network(program, network, report);
  }
}

// The same of those that count as deep.
template <void (*check_network)(const Program&, const Network&, Reporter&)>
void check_deep_networks(const Program& program, Reporter& report)
{
  constexpr size_t k_deep = 10;
  for (const Network& network : plain_networks(program)) {
    if (network.size() >= k_deep) {
      check_network(program, network, report);
    }
  }
}

// Two optimizers train two networks against each other, or in turns.
bool has_two_optimizers(const Program& program);

// The layer makes the maps smaller: pooling, or a convolution with a stride.
bool shrinks_maps(const Call& call);

} // namespace faultline::rules
