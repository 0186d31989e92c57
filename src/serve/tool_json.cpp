#include "serve/tool_json.hpp"

#include "evaluate/tool_job.hpp"

namespace faultline::serve {

static std::string lack_of(const evaluate::Toolbox& box,
                           const evaluate::Tool& tool,
                           const run::Environments& environments)
{
  if (!tool.is_union()) {
    return evaluate::missing(tool, environments.get(tool.environment)).value_or("");
  }
  std::string lack;
  for (const std::string& member : tool.members) {
    const std::string why = lack_of(box, *box.find(member), environments);
    if (why.empty()) {
      return {};
    }
    lack = lack.empty() ? why : lack;
  }
  return lack;
}

Json tool_json(const evaluate::Toolbox& box,
               const evaluate::Tool& tool,
               const run::Environments& environments)
{
  const std::string lack = lack_of(box, tool, environments);
  Json json;
  json["name"] = tool.name;
  json["summary"] = tool.summary;
  json["kind"] = tool.is_union()                                ? "union"
                 : tool.approach == evaluate::Approach::running ? "dynamic"
                                                                : "static";
  json["installed"] = lack.empty();
  json["reason"] = lack;
  return json;
}

Reply text_reply(const Result<std::shared_ptr<const std::string>>& text)
{
  if (!text) {
    return error_reply(text.error());
  }
  Reply reply;
  reply.body = **text;
  return reply;
}

} // namespace faultline::serve
