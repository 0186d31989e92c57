#include "proof/verdict.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <cmath>
#include <cstdlib>
#include <ranges>

namespace faultline::proof {

constexpr size_t k_longest_line = 160;

std::string_view name_of(Verdict verdict)
{
  return verdict == Verdict::pass ? "pass" : verdict == Verdict::fail ? "fail" : "none";
}

std::optional<double> find_metric(const std::string& log, const std::string& name)
{
  const std::string start = "metric " + name + " ";
  std::optional<double> value;
  for (const std::string_view line : split_lines(log)) {
    if (line.starts_with(start)) {
      const std::string number(line.substr(start.size()));
      char* end = nullptr;
      const double parsed = std::strtod(number.c_str(), &end);
      value = end != number.c_str() ? std::optional(parsed) : std::nullopt;
    }
  }
  return value;
}

std::string last_line(const std::string& log)
{
  const std::vector<std::string_view> lines = split_lines(log);
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    const std::string_view line = trim(*it);
    if (!line.empty()) {
      return to_valid_utf8(line.size() <= k_longest_line ? line : line.substr(0, k_longest_line));
    }
  }
  return {};
}

static Judgement judge_metric(const catalog::StatisticalOracle& oracle, const std::string& log)
{
  Judgement judgement;
  judgement.metric = find_metric(log, oracle.metric);
  if (!judgement.metric) {
    judgement.verdict = Verdict::fail;
    judgement.why = format("the test reported no {}", oracle.metric);
    return judgement;
  }
  const double value = *judgement.metric;
  // A value that is not a number passes nothing.
  const bool passes =
      oracle.higher_is_better ? value >= oracle.threshold : value <= oracle.threshold;
  judgement.verdict = passes ? Verdict::pass : Verdict::fail;
  judgement.why = format("{} {:.4g}, threshold {:.4g} ({} is better)",
                         oracle.metric,
                         value,
                         oracle.threshold,
                         oracle.higher_is_better ? "higher" : "lower");
  return judgement;
}

Judgement judge(const catalog::Fault& fault, const run::RunOutcome& outcome)
{
  if (!outcome.is_verdict()) {
    return {Verdict::none, std::nullopt, run::describe(outcome)};
  }
  if (outcome.succeeded()) {
    return fault.oracle.statistical ? judge_metric(*fault.oracle.statistical, outcome.log)
                                    : Judgement{Verdict::pass, std::nullopt, "the test passed"};
  }
  const std::string line = last_line(outcome.log);
  return {Verdict::fail,
          std::nullopt,
          run::describe(outcome) + (line.empty() ? std::string() : ": " + line)};
}

} // namespace faultline::proof
