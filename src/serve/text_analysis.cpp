#include "serve/text_analysis.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "check/model_json.hpp"
#include "report/finding_json.hpp"

namespace faultline::serve {

namespace {

// What one analysis may take; many may ask at once.
constexpr run::IsolationLimits k_limits = {
    .memory_bytes = size_t{1} << 30U, .cpu_seconds = 20, .wall_seconds = 60};

Json cells_json(const source::Notebook& notebook)
{
  Json json = Json::array();
  for (const std::string& cell : notebook.cells()) {
    json.push_back({{"number", json.size() + 1}, {"text", cell}});
  }
  return json;
}

Json gap_json(const std::vector<check::Gap>& partly)
{
  if (partly.empty()) {
    return nullptr;
  }
  const check::Gap& gap = partly.front();
  Json json = {{"line", gap.place.line}, {"what", gap.what}};
  if (gap.place.cell > 0) {
    json["cell"] = gap.place.cell;
  }
  return json;
}

Result<Json> checked(const check::Subject& subject)
{
  const double start = monotonic_seconds();
  FL_TRY(const check::LoadedText loaded, check::load_program(subject));
  FL_TRY(const check::Report report, check::check_programs({subject}, {}));
  if (!report.unreadable.empty()) {
    return Error{ErrorKind::bad_data, report.unreadable.front().reason};
  }
  Json json;
  json["findings"] = Json::array();
  for (const source::Finding& finding : report.findings) {
    json["findings"].push_back(report::finding_json(finding, report.files));
  }
  const auto program = check::analyse_program(subject, loaded);
  const check::ModelPlaces places(*program, loaded);
  json["models"] = Json::array();
  for (const check::ModelSummary& model : check::summarise_models(*program)) {
    json["models"].push_back(check::model_json(model, places));
  }
  json["partly"] = gap_json(report.partly);
  if (loaded.notebook) {
    json["cells"] = cells_json(*loaded.notebook);
  }
  json["seconds"] = monotonic_seconds() - start;
  return json;
}

Result<Json> checked_text(const Json& request)
{
  const check::Config config;
  check::Subject subject;
  subject.config = &config;
  subject.alone = true;
  subject.path = request.at("name");
  subject.text = request.at("text").get<std::string>();
  return checked(subject);
}

// The first analysis builds what the others need.
void warm_up()
{
  check::Subject subject;
  const check::Config config;
  subject.config = &config;
  subject.alone = true;
  subject.path = "a.py";
  subject.text = "import torch\nimport keras\ntorch.zeros(3).mean()\n";
  (void)checked(subject);
}

// In the worker: either what was found, or why there is nothing.
std::string answer(const std::string& request)
{
  Json reply;
  try {
    const Result<Json> found = checked_text(Json::from_cbor(request));
    if (found) {
      reply["found"] = *found;
    } else {
      reply["error"] = {static_cast<int>(found.error().kind), found.error().message};
    }
  } catch (const std::exception& error) { // catches everything, as in check_programs
    reply["error"] = {static_cast<int>(ErrorKind::internal),
                      format("internal error: {}", error.what())};
  }
  std::string bytes;
  Json::to_cbor(reply, bytes);
  return bytes;
}

} // namespace

Result<std::unique_ptr<TextAnalysis>> TextAnalysis::start()
{
  FL_TRY(auto isolated, run::Isolated::start(answer, k_limits, warm_up));
  return std::unique_ptr<TextAnalysis>(new TextAnalysis(std::move(isolated)));
}

Result<Json> TextAnalysis::of(const check::Subject& subject)
{
  std::string request;
  Json::to_cbor({{"name", subject.path}, {"text", *subject.text}}, request);
  const Result<std::string> bytes = m_isolated->ask(request);
  if (!bytes) {
    return Error{bytes.error().kind, "analysis failed: " + bytes.error().message};
  }
  Json reply = Json::from_cbor(*bytes);
  if (reply.contains("error")) {
    return Error{static_cast<ErrorKind>(reply["error"].at(0).get<int>()), reply["error"].at(1)};
  }
  return std::move(reply["found"]);
}

} // namespace faultline::serve
