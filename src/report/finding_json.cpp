#include "report/finding_json.hpp"

namespace faultline::report {

static void add_place(Json& json, const source::Place& place)
{
  json["file"] = place.file;
  if (place.cell > 0) {
    json["cell"] = place.cell;
  }
  json["line"] = place.line;
  json["column"] = place.column;
  json["end_line"] = place.end_line;
  json["end_column"] = place.end_column;
}

static Json fix_json(const source::Fix& fix, const source::FileSet& files)
{
  Json json;
  json["description"] = fix.description;
  json["safe"] = fix.safe;
  json["edits"] = Json::array();
  for (const auto& [file, edits] : fix.edits) {
    for (const source::Edit& edit : edits) {
      Json& entry = json["edits"].emplace_back();
      add_place(entry, files.place(file, edit.begin, edit.end));
      entry["text"] = edit.text;
    }
  }
  return json;
}

Json finding_json(const source::Finding& finding, const source::FileSet& files)
{
  Json json;
  json["rule"] = finding.rule;
  json["severity"] = name_of(finding.severity);
  json["confidence"] = name_of(finding.confidence);
  add_place(json, finding.place);
  json["message"] = finding.message;
  json["type"] = finding.type;
  json["fix_pattern"] = finding.fix_pattern;
  json["notes"] = Json::array();
  for (const source::Note& note : finding.notes) {
    Json& entry = json["notes"].emplace_back();
    entry["text"] = note.text;
    if (note.place) {
      add_place(entry, *note.place);
    }
  }
  if (!finding.help.empty()) {
    json["help"] = finding.help;
  }
  if (finding.fix) {
    json["fix"] = fix_json(*finding.fix, files);
  }
  return json;
}

} // namespace faultline::report
