#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

static void check_network(const Program& program, const Network& network, Reporter& report)
{
  const Call* first = nullptr; // of the block
  for (const Call* call : network.calls) {
    if (shrinks_maps(*call)) {
      first = nullptr;
    }
    if (!is_convolution(*call)) {
      continue;
    }
    const auto kernel = kernel_of(*call);
    const bool is_pointwise =
        kernel && std::ranges::all_of(*kernel, [](int64_t size) { return size == 1; });
    if (is_pointwise || call->is("depthwise_conv")) {
      continue; // a projection, not part of the block's pattern
    }
    if (first == nullptr) {
      first = call;
      continue;
    }
    const auto block_kernel = kernel_of(*first);
    const auto filters = units_of(*call);
    const auto block_filters = units_of(*first);
    if (!kernel || !block_kernel || !filters || !block_filters) {
      return;
    }
    if (*kernel != *block_kernel || *filters != *block_filters) {
      report
          .add(call->span,
               format("`{}` differs from the first convolution of its block: {} filters after {}, "
                      "window {} after {}",
                      written(program, *call),
                      *filters,
                      *block_filters,
                      kernel->front(),
                      block_kernel->front()))
          .note(first->span, "the block begins here")
          .help("use convolutions of one form between two down-samplings");
      return;
    }
  }
}

extern const Rule mixed_convolution_block{
    .name = "mixed-convolution-block",
    .summary = "Finds a deep CNN whose blocks mix convolutions of different form",
    .applies = "any",
    .type = "model/model-type-and-properties/suboptimal-network-structure",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_deep_networks<check_network>,
};

} // namespace faultline::rules
