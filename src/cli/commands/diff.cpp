#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "report/diff_text.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string id;
  bool json = false;
};

// A patch and its title.
struct Section {
  std::string heading;
  std::string diff;
};

std::vector<Section> sections_of(const catalog::Fault& fault)
{
  std::vector<Section> sections;
  for (const catalog::Part& part : fault.parts) {
    sections.push_back({part.name.empty() ? "" : format("part `{}`: {}", part.name, part.title),
                        source::print_patch(part.patch)});
  }
  for (const catalog::Accepted& accepted : fault.accepted) {
    if (accepted.patch) {
      sections.push_back({"also accepted: " + accepted.why, source::print_patch(*accepted.patch)});
    }
  }
  return sections;
}

Json diff_json(const catalog::Fault& fault)
{
  Json json;
  json["id"] = fault.id;
  json["parts"] = Json::array();
  for (const catalog::Part& part : fault.parts) {
    json["parts"].push_back({{"name", part.name}, {"diff", source::print_patch(part.patch)}});
  }
  json["accepted"] = Json::array();
  for (const catalog::Accepted& accepted : fault.accepted) {
    if (accepted.patch) {
      json["accepted"].push_back({{"part", accepted.part},
                                  {"why", accepted.why},
                                  {"diff", source::print_patch(*accepted.patch)}});
    }
  }
  return json;
}

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const catalog::Fault* fault, session.fault(options.id));
  if (options.json) {
    FL_TRY(const source::Patch fix, catalog::fix_of(*fault));
    Json json = diff_json(*fault);
    json["diff"] = source::print_patch(fix);
    session.print_json(json);
    return k_exit_ok;
  }
  const Painter paint = session.out();
  std::string text;
  for (const Section& section : sections_of(*fault)) {
    if (!section.heading.empty()) {
      text += (text.empty() ? "" : "\n") + paint(Colour::yellow, "# " + section.heading) + "\n";
    }
    text += report::paint_diff(section.diff, paint);
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_diff(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->id, "the fault").required().named("ID");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
