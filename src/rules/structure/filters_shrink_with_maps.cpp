#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

// The first convolution with fewer filters than one before a down-sampling.
static void check_network(const Program& program, const Network& network, Reporter& report)
{
  const std::vector<const Call*> convolutions = network.convolutions();
  int64_t most = 0; // filters before the last down-sampling
  int64_t most_so_far = 0;
  for (const Call* call : network.calls) {
    const bool counts = std::ranges::find(convolutions, call) != convolutions.end();
    const auto filters = counts ? units_of(*call) : std::nullopt;
    if (counts && !filters) {
      return;
    }
    if (filters && *filters < most) {
      report
          .add(call->span,
               format("`{}` has {} filters where {} came before, though the maps got smaller",
                      written(program, *call),
                      *filters,
                      most))
          .help("let the filters grow as the maps shrink");
      return;
    }
    most_so_far = std::max(most_so_far, filters.value_or(0));
    if (shrinks_maps(*call)) {
      most = most_so_far;
    }
  }
}

extern const Rule filters_shrink_with_maps{
    .name = "filters-shrink-with-maps",
    .summary = "Finds convolutions with fewer filters behind a down-sampling",
    .applies = "any",
    .type = "model/model-type-and-properties/suboptimal-network-structure",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_plain_networks<check_network>,
};

} // namespace faultline::rules
