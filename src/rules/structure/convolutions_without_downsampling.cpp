#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

// The number of positions that a convolution slides over; 0 if not known.
static int64_t count_positions(const Call& convolution)
{
  const Tensor* input = data_input(convolution);
  if (input == nullptr) {
    return 0;
  }
  program::Dim count = program::Dim::constant(1);
  const std::vector<program::Dim> positions = positions_of(convolution, *input);
  for (const program::Dim& size : positions) {
    count = count.times(size);
  }
  return positions.empty() ? 0 : count.constant().value_or(0);
}

// Pooling layers beside the path: their result goes nowhere.
static std::vector<const Call*> forgotten_pooling(const Program& program, const Network& network)
{
  std::vector<const Call*> found;
  for (const Call* call : network.calls) {
    const Tensor* input = data_input(*call);
    if (input == nullptr) {
      continue;
    }
    for (const Call* user : uses_of(program, input)) {
      if (is_pooling(*user) && std::ranges::find(network.calls, user) == network.calls.end()) {
        found.push_back(user);
      }
    }
  }
  return found;
}

static void check_network(const Program& program, const Network& network, Reporter& report)
{
  constexpr int64_t k_small = 16 * 16;
  const std::vector<const Call*> convolutions = network.convolutions();
  // Without a dense layer every position is an output: nothing should shrink.
  if (convolutions.empty() || !is_dense(*network.calls.back()) ||
      count_positions(*convolutions.front()) <= k_small) {
    return;
  }
  const bool shrinks = std::ranges::any_of(network.calls, [](const Call* call) {
    return shrinks_maps(*call) || call->has(program::k_reduction) || call->is("crop") ||
           call->is("slice");
  });
  if (shrinks) {
    return;
  }
  const Tensor* maps = data_input(*convolutions.front());
  Draft& draft = report.add(convolutions.back()->span,
                            format("the maps keep their size through {} convolution{}: neither "
                                   "pooling nor a stride makes them smaller",
                                   convolutions.size(),
                                   convolutions.size() == 1 ? "" : "s"));
  draft.note(convolutions.front()->span, format("applied to {} here", maps->shape.text()))
      .help("put pooling behind the convolutions, or use strides");
  for (const Call* pooling : forgotten_pooling(program, network)) {
    draft.note(pooling->span, "the result of this pooling is never used");
  }
}

extern const Rule convolutions_without_downsampling{
    .name = "convolutions-without-downsampling",
    .summary = "Finds a CNN that never makes its maps smaller before the dense layers",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-amount-and-type-of-pooling-in-convolutional-layer",
    .fix_pattern = "add-layer",
    .severity = Severity::info,
    .confidence = Confidence::medium,
    .check = check_plain_networks<check_network>,
};

} // namespace faultline::rules
