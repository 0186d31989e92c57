#include "cli/watch_summary.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace faultline::cli {

namespace {

using source::Severity;

size_t count_severity(const watch::Outcome& outcome, Severity severity)
{
  return std::ranges::count_if(outcome.detections, [severity](const trace::Detection& detection) {
    return detection.finding.severity == severity;
  });
}

// "no error or warning": this must not claim that there are no milder findings, which are not
// shown.
std::string nothing_found(Severity least)
{
  switch (least) {
  case Severity::info:
    return "no finding";
  case Severity::warning:
    return "no error or warning";
  case Severity::error:
    break;
  }
  return "no error";
}

std::string found(const watch::Outcome& outcome, Severity least)
{
  const size_t shown =
      std::ranges::count_if(outcome.detections, [least](const trace::Detection& detection) {
        return detection.finding.severity >= least;
      });
  const trace::Trace& trace = outcome.analyser->trace();
  return format("{} in {}, {} of them inspected closely",
                shown == 0 ? nothing_found(least) : count_of(shown, "finding"),
                count_of(trace.steps().size(), "training step"),
                trace.checks().size());
}

std::string not_shown(const watch::Outcome& outcome, Severity least)
{
  std::vector<std::string> parts;
  size_t all = 0;
  for (const Severity severity : {Severity::warning, Severity::info}) {
    const size_t count = count_severity(outcome, severity);
    if (severity < least && count > 0) {
      parts.push_back(format("{} of severity {}", count, name_of(severity)));
      all += count;
    }
  }
  return all == 0 ? std::string()
                  : format("; {} {} not shown (--severity info)",
                           join(parts, " and "),
                           all == 1 ? "is" : "are");
}

// The finding that stopped the program, which may be more severe than requested.
std::string stopped_at(const watch::Outcome& outcome, Severity stop_on)
{
  const auto reason =
      std::ranges::find_if(outcome.detections, [stop_on](const trace::Detection& detection) {
        return detection.finding.severity >= stop_on;
      });
  if (reason == outcome.detections.end()) {
    return {};
  }
  const source::Finding& finding = reason->finding;
  const std::string_view article = finding.severity == Severity::warning ? "a" : "an";
  const std::string_view noun =
      finding.severity == Severity::info ? "info finding" : name_of(finding.severity);
  return format("; stopped at {} {}, {}", article, noun, finding.rule);
}

// How the program ended by itself, unless it succeeded.
std::string bad_end(const watch::Outcome& outcome)
{
  const trace::Trace& trace = outcome.analyser->trace();
  if (trace.crash()) {
    return format("; the program ended with an uncaught {}", trace.crash()->exception);
  }
  if (!outcome.status) {
    return "; the trace ends before the program did";
  }
  return *outcome.status == 0 ? std::string()
                              : format("; the program ended with status {}", *outcome.status);
}

} // namespace

std::string watch_summary(const watch::Outcome& outcome, const WatchSummary& wanted)
{
  const trace::Trace& trace = outcome.analyser->trace();
  std::string text = outcome.bytes == 0
                         ? "no training was seen (`watch` supports PyTorch, LibTorch and "
                           "TensorFlow.js)"
                         : found(outcome, wanted.least) + not_shown(outcome, wanted.least);
  if (outcome.interrupted) {
    text += "; interrupted";
  } else if (outcome.stopped && wanted.stop_on) {
    text += stopped_at(outcome, *wanted.stop_on);
  } else {
    text += bad_end(outcome);
  }
  if (trace.problem()) {
    text += format("; the probe gave up: {}", trace.problem()->message);
  }
  if (outcome.skipped > 0) {
    text += format("; {} malformed {} skipped",
                   outcome.skipped,
                   outcome.skipped == 1 ? "record was" : "records were");
  }
  return text;
}

} // namespace faultline::cli
