#include "campaign/known_clean.hpp"

namespace faultline::campaign {

double number_in(const Json& json, const char* key, double otherwise)
{
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>()
                                                                         : otherwise;
}

KnownClean::KnownClean(const std::string& text) : m_json(parse_json(text))
{
  if (m_json.is_discarded() || !m_json.is_object()) {
    m_json = Json::object();
  }
}

Json KnownClean::probe_json() const
{
  Json json = m_json.value("states", Json::object());
  json["early"] = m_json.value("early", Json::array());
  return json;
}

Json KnownClean::differs(const std::string& id) const
{
  const auto found = m_json.find("differs");
  return found != m_json.end() && found->contains(id) ? (*found)[id] : Json();
}

bool KnownClean::never_differs(const std::string& id) const
{
  const Json segments = differs(id);
  return segments.is_array() && segments.empty();
}

std::map<std::string, double> KnownClean::metrics() const
{
  std::map<std::string, double> metrics;
  const Json known = m_json.value("metrics", Json::object());
  for (const auto& [name, value] : known.items()) {
    metrics[name] = value.get<double>();
  }
  return metrics;
}

const Json& KnownClean::states() const
{
  static const Json k_none = Json::object();
  const auto found = m_json.find("states");
  return found == m_json.end() ? k_none : *found;
}

double KnownClean::at(size_t checkpoints, const char* key, double otherwise) const
{
  const Json& all = states();
  return checkpoints > 0 && all.contains(key) && all[key].size() >= checkpoints
             ? all[key][checkpoints - 1].get<double>()
             : otherwise;
}

Observed vouched(const KnownClean& clean, const std::string& variant, int repeat)
{
  Observed observed;
  observed.log = "(not run: in the clean run the changed code never had another effect)\n";
  observed.run.variant = variant;
  observed.run.repeat = repeat;
  observed.run.start = Start::none;
  observed.run.decision = Decision::same_value;
  observed.run.metrics = clean.metrics();
  observed.run.seconds = clean.wall_seconds();
  observed.run.cpu_seconds = clean.cpu_seconds();
  return observed;
}

} // namespace faultline::campaign
