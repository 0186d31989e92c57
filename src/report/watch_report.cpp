#include "report/watch_report.hpp"

#include "report/finding_json.hpp"
#include "report/readable_page.hpp"

#include <set>

namespace faultline::report {

Json detection_json(const trace::Detection& detection,
                    const trace::Trace& trace,
                    const source::FileSet& files)
{
  Json json = finding_json(detection.finding, files);
  json["step"] = detection.step;
  const trace::Layer* layer = trace.layer(detection.layer);
  json["layer"] = layer == nullptr ? Json(nullptr) : Json(layer->name);
  return json;
}

SarifRun watch_sarif(const std::vector<trace::Detection>& detections, const std::string& version)
{
  SarifRun run;
  run.version = version;
  std::set<std::string> codes;
  for (const trace::Detection& detection : detections) {
    run.findings.push_back(detection.finding);
    codes.insert(detection.finding.rule);
  }
  for (const std::string& code : codes) {
    const trace::Symptom* symptom = trace::find_symptom(code);
    run.rules.push_back({code,
                         std::string(symptom->name),
                         std::string(symptom->summary),
                         readable_page(trace::documentation_of(*symptom)),
                         symptom->severity,
                         symptom->confidence,
                         {std::string(trace::group_of(*symptom))}});
  }
  return run;
}

} // namespace faultline::report
