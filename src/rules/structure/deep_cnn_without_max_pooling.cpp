#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

static bool is_average(const Call& call)
{
  return call.is("avg_pool") || call.is("adaptive_avg_pool");
}

static void check_network(const Program& /*program*/, const Network& network, Reporter& report)
{
  std::vector<const Call*> shrinking;
  // A last average over all positions is a usual end of a CNN.
  std::ranges::copy_if(network.calls, std::back_inserter(shrinking), [](const Call* call) {
    return shrinks_maps(*call) && !call->has(program::k_global);
  });
  if (shrinking.empty() ||
      !std::ranges::all_of(shrinking, [](const Call* call) { return is_average(*call); })) {
    return;
  }
  report
      .add(shrinking.front()->span,
           format("only average pooling makes the maps of this deep CNN smaller ({} "
                  "convolutions and pooling layers)",
                  network.size()))
      .help("use max pooling or strides, which keep the strongest responses");
}

extern const Rule deep_cnn_without_max_pooling{
    .name = "deep-cnn-without-max-pooling",
    .summary = "Finds a deep CNN that only averages",
    .applies = "any",
    .type = "model/layers/missing-redundant-wrong-layer/wrong-type-of-pooling-layer",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_deep_networks<check_network>,
};

} // namespace faultline::rules
