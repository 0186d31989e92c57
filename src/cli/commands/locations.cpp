#include "base/format.hpp"
#include "catalog/fault_json.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::vector<std::string> ids;
  bool json = false;
};

Result<int> run(Session& session, Options& options)
{
  options.filter->filter.ids = options.ids;
  FL_TRY(const std::vector<const catalog::Fault*> faults,
         selected_faults(session, *options.filter));
  if (options.json) {
    Json json = Json::array();
    for (const catalog::Fault* fault : faults) {
      json.push_back(catalog::locations_json(*fault));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  std::string text;
  const auto add =
      [&text](const catalog::Fault& fault, const catalog::Location& location, const char* kind) {
        for (const int line : location.lines) {
          text += format("{}\t{}\t{}\t{}\n", fault.id, location.file, line, kind);
        }
      };
  for (const catalog::Fault* fault : faults) {
    for (const catalog::Part& part : fault->parts) {
      add(*fault, part.location, "faulty");
    }
    for (const catalog::Accepted& accepted : fault->accepted) {
      if (accepted.location) {
        add(*fault, *accepted.location, "accepted");
      }
    }
  }
  session.print(text);
  return k_exit_ok;
}

} // namespace

Action declare_locations(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->ids, "only these faults").named("ID");
  options->filter = add_filter_options(arguments);
  arguments.flag("--json", options->json, "print JSON instead of tab-separated lines");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
