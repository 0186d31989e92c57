#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/commands/env/env.hpp"
#include "environment/built.hpp"
#include "environment/driver.hpp"
#include "provision/disk_use.hpp"
#include "report/text_table.hpp"

namespace faultline::cli {

namespace {

using environment::Built;
using environment::Description;

std::string versions_of(const Description& description)
{
  std::vector<std::string> words;
  for (const auto& [name, version] : description.packages) {
    words.push_back(format("{} {}", name, version));
  }
  return join(words, ", ");
}

bool is_built_here(const Description& description)
{
  return description.driver == environment::k_system.name;
}

Json json_of(const Description& description, const std::optional<Built>& built)
{
  Json json = {{"name", description.name},
               {"title", description.title},
               {"purpose", description.purpose},
               {"driver", description.driver},
               {"default", description.is_default},
               {"frameworks", description.frameworks},
               {"packages", description.packages},
               {"built", built.has_value()}};
  if (built) {
    json["folder"] = built->folder.string();
    json["content"] = built->content;
    json["python"] = built->python;
    json["bytes"] = built->bytes;
    json["installed"] = built->packages;
  }
  return json;
}

Result<int> list(const Session& session, bool json)
{
  FL_TRY(const std::vector<Description> all, descriptions(session));
  FL_TRY(const std::filesystem::path kept, environment::environments_folder());
  Json array = Json::array();
  report::TextTable table({{"NAME", report::Align::left, Colour::bold},
                           {"DRIVER"},
                           {"STATE"},
                           {"DISK", report::Align::right},
                           {"FOR"},
                           {"WHAT"}});
  for (const Description& one : all) {
    const std::optional<Built> built = environment::find_built(one, kept);
    array.push_back(json_of(one, built));
    table.add({one.name,
               one.driver,
               is_built_here(one) ? "of the machine"
               : built            ? "built"
                                  : "not built",
               built ? provision::print_size(built->bytes) : "",
               one.frameworks.empty() ? "tools" : join(one.frameworks, ", "),
               one.title});
  }
  if (json) {
    session.print_json(array);
    return k_exit_ok;
  }
  session.print(table.print(session.out(), session.width()));
  session.print(
      format("\nEnvironments are kept in {}, {} of downloads among them.\n",
             kept.string(),
             provision::print_size(provision::bytes_below(environment::downloads_folder(kept)))));
  return k_exit_ok;
}

Result<int> show(const Session& session, const std::string& name, bool json)
{
  FL_TRY(const Description one, find_description(session, name));
  FL_TRY(const std::filesystem::path kept, environment::environments_folder());
  const std::optional<Built> built = environment::find_built(one, kept);
  if (json) {
    session.print_json(json_of(one, built));
    return k_exit_ok;
  }
  const Painter paint = session.out();
  std::string text =
      format("{}  {}\n{}\n\n", paint(Colour::bold, one.name), one.title, one.purpose);
  const auto field = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) {
      text += format("{:<12} {}\n", label, value);
    }
  };
  field("driver", one.driver);
  field("programs of", join(one.frameworks, ", "));
  field("versions", versions_of(one));
  if (built) {
    field("built", format("{} in {:.0f} s", built->date, built->seconds));
    field("folder", built->folder.string());
    field("on disk", provision::print_size(built->bytes));
    field("Python", built->python);
    field("content", built->content);
    for (const auto& [package, version] : built->packages) {
      field("", "");
      text += format("  {} {}\n", package, version);
    }
  } else if (!is_built_here(one)) {
    field("built",
          format("no; `faultline env build {}` builds it{}",
                 one.name,
                 one.download_mb > 0 ? format(" and fetches about {} MB", one.download_mb)
                                     : std::string()));
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Subcommand declare_env_list(Arguments& arguments, Session& session)
{
  Arguments command = arguments.command("list",
                                        "list the environments, and which are built",
                                        "faultline env list\n"
                                        "faultline env list --json");
  auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "print JSON");
  return {command, [json, &session] { return list(session, *json); }};
}

Subcommand declare_env_show(Arguments& arguments, Session& session)
{
  struct Options {
    std::string name;
    bool json = false;
  };
  Arguments command = arguments.command(
      "show", "print everything known about an environment", "faultline env show keras2");
  auto options = std::make_shared<Options>();
  command.option("name", options->name, "the environment").required().named("NAME");
  command.flag("--json", options->json, "print JSON");
  return {command, [options, &session] { return show(session, options->name, options->json); }};
}

} // namespace faultline::cli
