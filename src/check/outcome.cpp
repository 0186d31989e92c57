#include "check/outcome.hpp"

#include "base/json.hpp"

namespace faultline::check {

namespace {

using source::Finding;
using source::Place;

Json json_of(const Place& place)
{
  return {place.file, place.line, place.column, place.end_line, place.end_column, place.cell};
}

Place place_of(const Json& json)
{
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5)};
}

Json json_of(const std::optional<Place>& place)
{
  return place ? json_of(*place) : Json();
}

Json json_of(const source::Fix& fix)
{
  Json edits = Json::object();
  for (const auto& [file, list] : fix.edits) {
    Json& of_file = edits[file] = Json::array();
    for (const source::Edit& edit : list) {
      of_file.push_back({edit.begin, edit.end, edit.text});
    }
  }
  return {{"description", fix.description}, {"safe", fix.safe}, {"edits", std::move(edits)}};
}

source::Fix fix_of(const Json& json)
{
  source::Fix fix{json.at("description"), json.at("safe")};
  for (const auto& [file, list] : json.at("edits").items()) {
    for (const Json& edit : list) {
      fix.edits[file].push_back({edit.at(0), edit.at(1), edit.at(2)});
    }
  }
  return fix;
}

Json json_of(const Finding& finding)
{
  Json json = {{"rule", finding.rule},
               {"severity", static_cast<int>(finding.severity)},
               {"confidence", static_cast<int>(finding.confidence)},
               {"place", json_of(finding.place)},
               {"message", finding.message},
               {"label", finding.label},
               {"notes", Json::array()},
               {"help", finding.help},
               {"type", finding.type},
               {"fix_pattern", finding.fix_pattern}};
  for (const source::Note& note : finding.notes) {
    json["notes"].push_back({{"text", note.text}, {"place", json_of(note.place)}});
  }
  if (finding.fix) {
    json["fix"] = json_of(*finding.fix);
  }
  return json;
}

Finding finding_of(const Json& json)
{
  Finding finding;
  finding.rule = json.at("rule");
  finding.severity = static_cast<source::Severity>(json.at("severity").get<int>());
  finding.confidence = static_cast<source::Confidence>(json.at("confidence").get<int>());
  finding.place = place_of(json.at("place"));
  finding.message = json.at("message");
  finding.label = json.at("label");
  for (const Json& note : json.at("notes")) {
    const Json& place = note.at("place");
    finding.notes.push_back(
        {note.at("text"), place.is_null() ? std::nullopt : std::optional(place_of(place))});
  }
  finding.help = json.at("help");
  finding.type = json.at("type");
  finding.fix_pattern = json.at("fix_pattern");
  if (json.contains("fix")) {
    finding.fix = fix_of(json.at("fix"));
  }
  return finding;
}

Result<Outcome> outcome_of(const Json& json)
{
  Outcome outcome;
  outcome.done = true;
  outcome.unreadable = json.at("unreadable");
  outcome.failed = json.at("failed");
  if (json.contains("gap")) {
    outcome.gap = Gap{place_of(json["gap"].at("place")), json["gap"].at("what")};
  }
  for (const Json& finding : json.at("findings")) {
    outcome.findings.push_back(finding_of(finding));
  }
  if (json.contains("notebook")) {
    FL_TRY(auto notebook, source::Notebook::parse(json["notebook"].get<std::string>()));
    outcome.own = LoadedText{notebook.text(), std::move(notebook)};
  } else if (json.contains("text")) {
    outcome.own = LoadedText{json["text"].get<std::string>()};
  }
  for (const auto& [path, text] : json.at("imported").items()) {
    outcome.imported[path] = text.get<std::string>();
  }
  return outcome;
}

} // namespace

// CBOR keeps every byte of a text, also where it is not UTF-8.
std::string encode(const Outcome& outcome)
{
  Json json = {{"unreadable", outcome.unreadable},
               {"failed", outcome.failed},
               {"findings", Json::array()},
               {"imported", Json::object()}};
  if (outcome.gap) {
    json["gap"] = {{"place", json_of(outcome.gap->place)}, {"what", outcome.gap->what}};
  }
  for (const Finding& finding : outcome.findings) {
    json["findings"].push_back(json_of(finding));
  }
  if (outcome.own && outcome.own->notebook) {
    json["notebook"] = outcome.own->notebook->json();
  } else if (outcome.own) {
    json["text"] = outcome.own->text;
  }
  for (const auto& [path, text] : outcome.imported) {
    json["imported"][path] = text;
  }
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

Result<Outcome> decode(std::string_view bytes)
{
  try {
    return outcome_of(Json::from_cbor(bytes));
  } catch (const Json::exception&) {
    return Error{ErrorKind::internal, "the process gave no answer that can be read"};
  }
}

} // namespace faultline::check
