#include "proof/criteria.hpp"

#include "proof/record.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

namespace faultline::serve {

namespace {

// From larger catalogues, this many faults are read, evenly spread over the ids.
constexpr size_t k_most_read = 2000;

Result<std::vector<proof::FaultFacts>> read_facts(Context& context,
                                                  const std::vector<std::string>& ids)
{
  std::vector<proof::FaultFacts> read;
  const size_t step = (ids.size() + k_most_read - 1) / k_most_read;
  for (size_t i = 0; i < ids.size(); i += step) {
    // A fault that has become unreadable is skipped.
    if (const Result<catalog::Fault> fault = context.knowledge->fault(ids[i])) {
      FL_TRY(proof::FaultFacts facts,
             proof::facts_of(*fault, *context.store, *context.environments));
      read.push_back(facts);
    }
  }
  return read;
}

Result<std::string> criteria_text(Context& context)
{
  catalog::EntryQuery query;
  query.filters["status"] = {"active"};
  query.limit = 0;
  FL_TRY(const catalog::EntryPage page, context.entries->query(query));
  proof::CriteriaInput input;
  input.faults = page.total;
  const catalog::Scheme& types = context.schemes->get("type");
  for (const auto& [facet, values] : page.facets) {
    for (const catalog::FacetCount& value : values) {
      const catalog::Label* type = facet == "type" ? types.find(value.value) : nullptr;
      if (value.count > 0 && (type == nullptr || type->leaf)) {
        input.counts[facet][value.value] = value.count;
      }
    }
  }
  FL_TRY(const std::vector<std::string> ids, context.entries->ids(query));
  FL_TRY(input.read, read_facts(context, ids));
  FL_TRY(const std::shared_ptr<const Board> board, context.knowledge->board("", Freshness::exact));
  for (const evaluate::ToolScores& tool : board->scores.tools) {
    input.tools += tool.all.recall.of > 0 ? 1 : 0;
    input.verdicts += tool.all.recall.of;
  }
  Json json;
  json["faults"] = input.faults;
  json["criteria"] = Json::array();
  for (const proof::Criterion& criterion : proof::criteria(input, *context.schemes)) {
    Json& entry = json["criteria"].emplace_back();
    entry["name"] = criterion.name;
    entry["title"] = criterion.title;
    entry["definition"] = criterion.definition;
    entry["measures"] = Json::array();
    for (const proof::Measure& measure : criterion.measures) {
      Json value = std::holds_alternative<double>(measure.value)
                       ? Json(std::get<double>(measure.value))
                       : Json(std::get<std::string>(measure.value));
      Json& shown = entry["measures"].emplace_back();
      shown["name"] = measure.name;
      shown["value"] = std::move(value);
      shown["unit"] = measure.unit;
      shown["detail"] = measure.detail;
      if (measure.of) {
        shown["of"] = *measure.of;
      }
    }
  }
  return print_json_line(json);
}

} // namespace

Reply get_criteria(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const Result<std::string> version = context.knowledge->evaluation_version();
  const Result<std::string> proofs = proof::records_stamp(*context.store);
  if (!version || !proofs) {
    return error_reply(!version ? version.error() : proofs.error());
  }
  return text_reply(context.knowledge->answer(
      "criteria", *version + "\n" + *proofs, [&context] { return criteria_text(context); }));
}

} // namespace faultline::serve
