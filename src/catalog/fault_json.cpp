#include "catalog/fault_json.hpp"

namespace faultline::catalog {

static Json labels_json(const Labels& labels)
{
  Json json;
  for (size_t i = 0; i < k_scheme_names.size(); ++i) {
    json[std::string(k_scheme_names[i])] = labels.values[i];
  }
  return json;
}

Json location_json(const Location& location)
{
  return {{"file", location.file}, {"lines", location.lines}};
}

static Json parts_json(const Fault& fault)
{
  Json parts = Json::array();
  for (const Part& part : fault.parts) {
    Json json;
    json["name"] = part.name;
    json["title"] = part.title;
    json["labels"] = labels_json(part.labels);
    json["published"] = part.labels.published;
    json["location"] = location_json(part.location);
    json["patch"] = part.patch_file;
    parts.push_back(std::move(json));
  }
  return parts;
}

Json summary_json(const Fault& fault, int support)
{
  const Part& first = fault.parts.front();
  Json json;
  json["id"] = fault.id;
  json["title"] = fault.title;
  json["framework"] = fault.framework;
  json["language"] = fault.language();
  json["split"] = fault.split;
  json["status"] = fault.withdrawn ? "withdrawn" : "active";
  json["origin"] = {{"kind", fault.origin.kind}, {"url", fault.origin.url}};
  json["labels"] = labels_json(first.labels);
  json["location"] = location_json(first.location);
  json["support"] = support;
  json["silent"] = fault.silent;
  json["parts"] = fault.parts.size();
  return json;
}

static Json accepted_json(const Fault& fault)
{
  Json all = Json::array();
  for (const Accepted& accepted : fault.accepted) {
    Json json;
    json["part"] = accepted.part;
    json["why"] = accepted.why;
    if (accepted.patch) {
      json["patch"] = accepted.patch_file;
      json["diff"] = source::print_patch(*accepted.patch);
    }
    if (!accepted.fix_pattern.empty()) {
      json["fix_pattern"] = accepted.fix_pattern;
    }
    if (!accepted.type.empty()) {
      json["type"] = accepted.type;
    }
    if (accepted.location) {
      json["location"] = location_json(*accepted.location);
    }
    all.push_back(std::move(json));
  }
  return all;
}

static Json oracle_json(const Oracle& oracle)
{
  Json json;
  json["kind"] = oracle.statistical ? "statistical" : "exit-status";
  json["evidence"] = oracle.evidence;
  if (oracle.statistical) {
    const StatisticalOracle& statistical = *oracle.statistical;
    json["metric"] = statistical.metric;
    json["direction"] = statistical.higher_is_better ? "higher" : "lower";
    json["threshold"] = statistical.threshold;
    json["seeds"] = statistical.seeds;
    json["test"] = statistical.test;
    json["alpha"] = statistical.alpha;
    json["effect"] = statistical.effect;
  }
  return json;
}

Json full_json(const Fault& fault, int support)
{
  Json json = summary_json(fault, support);
  json["summary"] = fault.summary;
  json["general"] = fault.general;
  json["origin"]["dataset"] = fault.origin.dataset;
  json["origin"]["record"] = fault.origin.record;
  json["parts"] = parts_json(fault);
  json["accepted"] = accepted_json(fault);
  json["oracle"] = oracle_json(fault.oracle);
  json["run"] = {{"command", fault.run.command},
                 {"test", fault.run.test},
                 {"timeout_seconds", fault.run.timeout_seconds},
                 {"memory_mib", fault.run.memory_mib}};
  if (fault.run.compile) {
    json["run"]["compile"] = {{"sources", fault.run.compile->sources},
                              {"output", fault.run.compile->output}};
  }
  json["environment"] = {
      {"in", fault.environments}, {"not_in", fault.absent_in}, {"data", fault.data}};
  json["realism"] = {{"api", fault.realism.api},
                     {"data", fault.realism.data},
                     {"fix", fault.realism.fix},
                     {"note", fault.realism.note}};
  if (fault.withdrawn) {
    json["withdrawn"] = {{"version", fault.withdrawn->version},
                         {"date", fault.withdrawn->date},
                         {"reason", fault.withdrawn->reason}};
  }
  return json;
}

Json locations_json(const Fault& fault)
{
  Json json;
  json["id"] = fault.id;
  json["locations"] = Json::array();
  for (const Part& part : fault.parts) {
    Json location = location_json(part.location);
    location["part"] = part.name;
    location["type"] = part.labels.get("type");
    json["locations"].push_back(std::move(location));
  }
  json["accepted"] = Json::array();
  for (const Accepted& accepted : fault.accepted) {
    if (accepted.location) {
      Json location = location_json(*accepted.location);
      location["part"] = accepted.part;
      location["why"] = accepted.why;
      if (!accepted.type.empty()) {
        location["type"] = accepted.type;
      }
      json["accepted"].push_back(std::move(location));
    }
  }
  return json;
}

} // namespace faultline::catalog
