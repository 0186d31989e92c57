#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

// Each convolution is followed by max pooling before the next.
static bool alternates(const Network& network)
{
  bool after_convolution = false;
  for (const Call* call : network.calls) {
    if (is_convolution(*call)) {
      if (after_convolution) {
        return false;
      }
      after_convolution = true;
    } else if (call->is("max_pool")) {
      after_convolution = false;
    }
  }
  return !after_convolution;
}

static void check_network(const Program& /*program*/, const Network& network, Reporter& report)
{
  const std::vector<const Call*> convolutions = network.convolutions();
  if (convolutions.empty() || !alternates(network)) {
    return;
  }
  report
      .add(convolutions.front()->span,
           format("each of the {} convolutions of this deep CNN is pooled at once",
                  convolutions.size()))
      .help("put two or more convolutions in front of each pooling");
}

extern const Rule pooling_after_every_convolution{
    .name = "pooling-after-every-convolution",
    .summary = "Finds a deep CNN that pools after every convolution",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-amount-and-type-of-pooling-in-convolutional-layer",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_deep_networks<check_network>,
};

} // namespace faultline::rules
