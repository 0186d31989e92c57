#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

namespace faultline::rules {

// Narrower layers are projections of small inputs.
static constexpr int64_t k_narrow = 32;

// The first hidden layer that is wider than the one before. The last layer's width is given by the
// task.
static void check_network(const Program& program, const Network& network, Reporter& report)
{
  const std::vector<const Call*> layers = network.dense_layers();
  for (size_t i = 0; i + 2 < layers.size(); ++i) {
    const auto before = units_of(*layers[i]);
    const auto after = units_of(*layers[i + 1]);
    if (before && after && *before >= k_narrow && *after > *before) {
      report
          .add(layers[i + 1]->span,
               format("`{}` has {} units behind one with {}",
                      written(program, *layers[i + 1]),
                      *after,
                      *before))
          .note(layers[i]->span, "the narrower layer is here")
          .help("let the layers become narrower towards the output");
      return;
    }
  }
}

extern const Rule growing_dense_widths{
    .name = "growing-dense-widths",
    .summary = "Finds hidden dense layers that become wider",
    .applies = "any",
    .type = "model/layers/layer-properties/suboptimal-number-of-neurons-in-the-layer",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_plain_networks<check_network>,
};

} // namespace faultline::rules
