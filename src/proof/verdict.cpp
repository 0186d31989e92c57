#include "proof/verdict.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "proof/test_report.hpp"

namespace faultline::proof {

constexpr size_t k_longest_line = 160;

std::string_view name_of(Verdict verdict)
{
  return verdict == Verdict::pass ? "pass" : verdict == Verdict::fail ? "fail" : "none";
}

// As much of the first line of `text` as fits into a table.
static std::string one_line(std::string_view text)
{
  const std::string_view line = trim(text.substr(0, text.find('\n')));
  return to_valid_utf8(line.substr(0, k_longest_line));
}

std::string last_line(const std::string& log)
{
  const std::vector<std::string_view> lines = split_lines(log);
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    if (!trim(*it).empty()) {
      return one_line(trim(*it));
    }
  }
  return {};
}

static Judgement failed(std::string why)
{
  return {Verdict::fail, std::nullopt, std::move(why)};
}

static Judgement judge_metric(const catalog::StatisticalOracle& oracle, const TestReport& report)
{
  const auto found = report.metrics.find(oracle.metric);
  if (found == report.metrics.end()) {
    return failed(format("the test reported no {}", oracle.metric));
  }
  const double value = found->second;
  Judgement judgement;
  judgement.metric = value;
  // NaN never passes.
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
  const Result<TestReport> report = read_report(outcome.result);
  if (report && !report->passed) {
    return failed(report->message.empty() ? "the test failed" : one_line(report->message));
  }
  if (!outcome.succeeded()) {
    const std::string line = last_line(outcome.log);
    return failed(run::describe(outcome) + (report         ? " after the test had passed"
                                            : line.empty() ? std::string()
                                                           : ": " + line));
  }
  if (!report) {
    return failed(report.error().message);
  }
  if (report->checks == 0 && report->metrics.empty()) {
    return failed("the test checked nothing");
  }
  return fault.oracle.statistical ? judge_metric(*fault.oracle.statistical, *report)
                                  : Judgement{Verdict::pass, std::nullopt, "the test passed"};
}

} // namespace faultline::proof
