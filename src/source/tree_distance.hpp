#pragma once

#include "source/labelled_tree.hpp"

namespace faultline::source {

// The least cost of turning one tree into the other by inserting, deleting and relabelling nodes.
// Each costs one, but a half where only the text of a label changes. A metric.
double tree_distance(const LabelledTree& a, const LabelledTree& b);

// From 0, nothing in common, to 1, the same: 1 - distance / (size a + size b).
double similarity(const LabelledTree& a, const LabelledTree& b);

} // namespace faultline::source
