#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"

#include <algorithm>

namespace faultline::rules {

static bool is_stem(const std::vector<int64_t>& kernel)
{
  return std::ranges::all_of(kernel, [](int64_t size) { return size == 5 || size == 7; });
}

static std::string words(const std::vector<int64_t>& kernel)
{
  std::string text;
  for (const int64_t size : kernel) {
    text += format("{}{}", text.empty() ? "" : "×", size);
  }
  return text;
}

// The first convolution with a smaller window than one before it.
static void check_network(const Program& program, const Network& network, Reporter& report)
{
  std::vector<int64_t> largest;
  bool is_first = true;
  for (const Call* layer : network.convolutions()) {
    const auto kernel = kernel_of(*layer);
    if (!kernel || (!largest.empty() && kernel->size() != largest.size())) {
      return;
    }
    // A wide first window takes in the picture; the convention starts behind it.
    if (std::exchange(is_first, false) && is_stem(*kernel)) {
      continue;
    }
    for (size_t i = 0; i < largest.size(); ++i) {
      if ((*kernel)[i] < largest[i]) {
        report
            .add(layer->span,
                 format("the window of `{}` shrinks from {} to {}",
                        written(program, *layer),
                        words(largest),
                        words(*kernel)))
            .help("use windows of one size, or let them grow with the depth");
        return;
      }
    }
    largest = *kernel;
  }
}

extern const Rule shrinking_kernels{
    .name = "shrinking-kernels",
    .summary = "Finds convolutions with smaller windows behind larger ones",
    .applies = "any",
    .type = "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer",
    .fix_pattern = "change-neural-architecture",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check_plain_networks<check_network>,
};

} // namespace faultline::rules
