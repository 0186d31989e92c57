#include "check/model_json.hpp"

namespace faultline::check {

source::Place ModelPlaces::of(program::Span span) const
{
  const program::Unit& unit = *m_program.units()[span.file];
  auto found = m_lines.find(span.file);
  if (found == m_lines.end()) {
    found = m_lines.emplace(span.file, source::LineIndex(unit.text)).first;
  }
  const source::LineIndex& lines = found->second;
  const source::LineColumn begin = lines.at(span.begin);
  const source::LineColumn end = lines.at(span.end);
  source::Place place{unit.path, begin.line, begin.column, end.line, end.column};
  return span.file == 0 && m_loaded.notebook ? m_loaded.notebook->locate(place) : place;
}

Json model_json(const ModelSummary& model, const ModelPlaces& places)
{
  const source::Place place = places.of(model.span);
  Json json;
  json["name"] = model.name;
  json["file"] = place.file;
  if (place.cell > 0) {
    json["cell"] = place.cell;
  }
  json["line"] = place.line;
  json["column"] = place.column;
  json["input"] = model.input;
  json["layers"] = Json::array();
  for (const LayerSummary& layer : model.layers) {
    const source::Place at = places.of(layer.span);
    Json& entry = json["layers"].emplace_back();
    entry["name"] = layer.name;
    entry["type"] = layer.type;
    if (at.cell > 0) {
      entry["cell"] = at.cell;
    }
    entry["line"] = at.line;
    entry["output"] = layer.output;
    entry["parameters"] = layer.parameters ? Json(layer.parameters->all()) : Json();
    entry["inputs"] = layer.inputs;
  }
  json["parameters"] = model.parameters.all();
  json["trainable"] = model.parameters.trainable;
  json["complete"] = model.all_known;
  return json;
}

} // namespace faultline::check
