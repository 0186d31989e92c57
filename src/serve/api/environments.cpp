#include "base/format.hpp"
#include "base/text.hpp"
#include "environment/export.hpp"
#include "serve/api/handlers.hpp"
#include "serve/parameters.hpp"

namespace faultline::serve {

namespace {

using environment::Description;

// The forms in which an environment can be had, by the file's name.
struct Form {
  std::string_view file;
  std::string (*text)(const Description& description);
};
constexpr Form k_forms[] = {{"requirements.txt", environment::requirements_txt},
                            {"environment.yml", environment::environment_yml},
                            {"Dockerfile", environment::dockerfile}};

Json json_of(const Description& description, const run::Environment& here)
{
  Json forms = Json::array();
  for (const Form& form : k_forms) {
    forms.push_back(form.file);
  }
  return {{"name", description.name},
          {"title", description.title},
          {"purpose", description.purpose},
          {"driver", description.driver},
          {"frameworks", description.frameworks},
          {"packages", description.packages},
          {"available", here.unbuilt.empty()},
          {"missing", here.unbuilt},
          {"forms", std::move(forms)}};
}

} // namespace

Reply get_environments(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  Json items = Json::array();
  for (const Description& one : context.environments->descriptions()) {
    items.push_back(json_of(one, context.environments->get(one.name)));
  }
  return json_reply({{"items", std::move(items)}});
}

Reply get_environment_file(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& name = request.captures[0];
  const std::string& file = request.captures[1];
  const Description* one = environment::find(context.environments->descriptions(), name);
  if (one == nullptr) {
    return error_reply(404, format("unknown environment `{}`", name.substr(0, 100)));
  }
  for (const Form& form : k_forms) {
    if (form.file == file) {
      Reply reply;
      reply.type = "text/plain; charset=utf-8";
      reply.body = form.text(*one);
      reply.headers["Content-Disposition"] = format("attachment; filename=\"{}\"", file);
      return reply;
    }
  }
  return error_reply(404,
                     format("there is no `{}` of an environment; it is requirements.txt, "
                            "environment.yml or Dockerfile",
                            file.substr(0, 100)));
}

} // namespace faultline::serve
