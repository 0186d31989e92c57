#pragma once

#include "campaign/data.hpp"

#include <span>

namespace faultline::campaign {

// What the clean runs allow: a value beyond these is a symptom.
struct Bounds {
  double least_metric = 0; // of the first metric
  double most_metric = 0;
  double least_seconds = 0; // CPU
  double most_seconds = 0;
};

// Quartiles of the clean runs and one and a half times their distance, as in a box plot, but never
// narrower than the spread of all clean runs; for time at least a quarter of the median on both
// sides.
Bounds bounds_of(std::span<const Run> clean, const Spec& spec);

// The symptom of a run that has ended, by its metrics and time. Crash, hang and out of memory stay.
Symptom judge(const Run& run, const Bounds& bounds, const Spec& spec);

} // namespace faultline::campaign
