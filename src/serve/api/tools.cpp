#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

namespace faultline::serve {

Reply get_tools(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  return text_reply(
      context.knowledge->evaluation_answer("tools", [&context]() -> Result<std::string> {
        FL_TRY(const evaluate::Toolbox box, context.knowledge->tools());
        Json json;
        json["tools"] = Json::array();
        for (const size_t asked : box.asked) {
          const evaluate::Tool& tool = box.tools[asked];
          Json entry = tool_json(box, tool, *context.environments);
          entry["version"] = context.knowledge->version_of(tool);
          entry["frameworks"] = tool.frameworks;
          entry["languages"] = tool.languages;
          entry["members"] = tool.members;
          json["tools"].push_back(std::move(entry));
        }
        return print_json_line(json);
      }));
}

} // namespace faultline::serve
