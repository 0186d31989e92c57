#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

namespace {

std::vector<double> numbers_in(const Json& values, std::string_view key)
{
  std::vector<double> numbers;
  const auto found = values.find(key);
  if (found != values.end() && found->is_array()) {
    for (const Json& value : *found) {
      if (value.is_number()) {
        numbers.push_back(value.get<double>());
      }
    }
  }
  return numbers;
}

// Mann-Whitney's U as a standard normal score; ties count half.
double rank_score(const std::vector<double>& a, const std::vector<double>& b)
{
  double u = 0;
  for (const double x : a) {
    for (const double y : b) {
      u += x < y ? 1 : x == y ? 0.5 : 0;
    }
  }
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  return (u - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* zeroed = trace.experiment("zero-input");
  if (zeroed == nullptr) {
    return;
  }
  const std::vector<double> real = numbers_in(zeroed->values, "losses");
  const std::vector<double> zero = numbers_in(zeroed->values, "zeroed");
  const bool enough = real.size() >= 5 && zero.size() >= 5;
  if (!enough || real.size() > 10'000 || zero.size() > 10'000 || !progress_of(trace).fails()) {
    return;
  }
  if (std::abs(rank_score(real, zero)) < 1.96) {
    report.at_run(0, "training does just as well when all inputs are zero")
        .evidence(format("losses after some steps: {} to {} on the data, {} to {} on zeros",
                         number(std::ranges::min(real)),
                         number(std::ranges::max(real)),
                         number(std::ranges::min(zero)),
                         number(std::ranges::max(zero))))
        .help("follow the data to the loss: something replaces it or cuts it off");
  }
}

extern const Symptom input_ignored{
    .name = "input-ignored",
    .summary = "Finds training that does just as well when all inputs are zero",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
