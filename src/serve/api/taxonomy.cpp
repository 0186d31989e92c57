#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

namespace faultline::serve {

namespace {

// Active faults with a type, by type; of both splits if none is named.
Result<std::map<std::string, size_t>> count_types(const Context& context, const std::string& split)
{
  catalog::EntryQuery query;
  query.filters["status"] = {"active"};
  if (!split.empty()) {
    query.filters["split"] = {split};
  }
  query.limit = 0;
  std::map<std::string, size_t> counts;
  FL_TRY(const catalog::EntryPage all, context.entries->query(query));
  for (const auto& [facet, values] : all.facets) {
    for (const catalog::FacetCount& value : values) {
      if (facet == "type") {
        counts[value.value] = value.count;
      }
    }
  }
  return counts;
}

Json survey_json(const catalog::Survey& survey)
{
  return {{"met", survey.met}, {"severity", survey.severity}, {"effort", survey.effort}};
}

Json parent_of(const std::string& id)
{
  const size_t slash = id.rfind('/');
  return slash == std::string::npos ? Json() : Json(id.substr(0, slash));
}

Result<std::string> taxonomy_text(Context& context)
{
  FL_TRY(const auto all, count_types(context, ""));
  FL_TRY(const auto dev, count_types(context, "dev"));
  FL_TRY(const auto test, count_types(context, "test"));
  FL_TRY(const std::shared_ptr<const Board> board, context.knowledge->board("", Freshness::exact));
  std::map<std::string, std::map<std::string, evaluate::Share>> recall;
  for (const evaluate::ToolResult& tool : board->evaluation.tools) {
    recall[tool.tool.name] = evaluate::recall_by_type(board->evaluation, tool);
  }
  const auto count = [](const std::map<std::string, size_t>& counts, const std::string& id) {
    const auto found = counts.find(id);
    return found == counts.end() ? size_t{0} : found->second;
  };
  Json json;
  json["nodes"] = Json::array();
  for (const catalog::Label& label : context.schemes->get("type").labels) {
    Json& node = json["nodes"].emplace_back();
    node["id"] = label.id;
    node["name"] = label.name;
    node["parent"] = parent_of(label.id);
    node["leaf"] = label.leaf;
    node["definition"] = label.definition;
    node["published"] = label.counts;
    node["survey"] = label.survey ? survey_json(*label.survey) : Json();
    node["faults"] = count(all, label.id);
    node["dev"] = count(dev, label.id);
    node["test"] = count(test, label.id);
    node["recall"] = Json::object();
    for (const auto& [tool, shares] : recall) {
      if (const auto share = shares.find(label.id); share != shares.end()) {
        node["recall"][tool] = {{"hits", share->second.hits}, {"of", share->second.of}};
      }
    }
  }
  return print_json_line(json);
}

} // namespace

Reply get_taxonomy(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  return text_reply(context.knowledge->evaluation_answer(
      "taxonomy", [&context] { return taxonomy_text(context); }));
}

} // namespace faultline::serve
