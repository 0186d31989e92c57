#pragma once

// What came of watching a training run, for people and for machines.

#include "base/json.hpp"
#include "report/campaign_report.hpp"
#include "report/sarif.hpp"
#include "source/file_set.hpp"
#include "trace/symptom.hpp"

#include <string>
#include <vector>

namespace faultline::report {

// A finding as `check` prints it with `step` and `layer` besides.
Json detection_json(const trace::Detection& detection,
                    const trace::Trace& trace,
                    const source::FileSet& files);

SarifRun watch_sarif(const std::vector<trace::Detection>& detections, const std::string& version);

// Loss, accuracy and evaluations over time, and for every layer output, gradient and update: name →
// {title, caption, spec}. Where numbers stop being finite is marked; what has no number that can be
// drawn has no figure.
Json watch_figures(const trace::Trace& trace);

// Who ended the run.
enum class WatchEnd { program, interrupt, finding };

struct WatchPage {
  std::string command;
  std::string when;
  WatchEnd end = WatchEnd::program;
};

// One page that needs nothing else: no other file, no network.
std::string watch_html(const trace::Trace& trace,
                       const std::vector<trace::Detection>& detections,
                       const source::FileSet& files,
                       const FigureScripts& scripts,
                       const WatchPage& page);

} // namespace faultline::report
