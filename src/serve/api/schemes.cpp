#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"

namespace faultline::serve {

static Json label_json(const catalog::Label& label)
{
  Json json = {{"id", label.id},
               {"name", label.name},
               {"definition", label.definition},
               {"leaf", label.leaf},
               {"counts", Json::object()}};
  for (const auto& [what, count] : label.counts) {
    json["counts"][what] = count;
  }
  if (label.survey) {
    json["survey"] = {{"met", label.survey->met},
                      {"severity", label.survey->severity},
                      {"effort", label.survey->effort}};
  }
  return json;
}

Reply get_schemes(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Json all = Json::array();
  for (const catalog::Scheme& scheme : context.schemes->all) {
    Json labels = Json::array();
    for (const catalog::Label& label : scheme.labels) {
      labels.push_back(label_json(label));
    }
    all.push_back({{"name", scheme.name},
                   {"title", scheme.title},
                   {"source", scheme.source},
                   {"labels", std::move(labels)}});
  }
  return json_reply({{"schemes", std::move(all)}});
}

} // namespace faultline::serve
