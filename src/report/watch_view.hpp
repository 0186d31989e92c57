#pragma once

// A training run on a terminal while it goes on.

#include "base/terminal.hpp"
#include "trace/symptom.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace faultline::report {

// "▇▅▃▂▁": values from left to right in at most `cells` columns, each cell the mean of its share of
// them. What is no number is "×".
std::string sparkline(std::span<const double> values, size_t cells);

struct ViewSize {
  size_t width = 80;
  size_t rows = 12; // at most
};

// The run so far: epoch, step, loss with its curve, then the layers and how they do. No line is
// wider than the view.
std::vector<std::string> watch_view(const trace::Trace& trace,
                                    const std::vector<trace::Detection>& detections,
                                    ViewSize size,
                                    const Painter& paint);

} // namespace faultline::report
