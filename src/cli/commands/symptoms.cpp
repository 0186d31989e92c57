#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/symptom_pages.hpp"
#include "cli/write_pages.hpp"
#include "report/text_table.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string docs;
  bool json = false;
};

Result<int> run(const Session& session, const Options& options)
{
  if (!options.docs.empty()) {
    return write_pages(options.docs, symptom_pages(), session);
  }
  if (options.json) {
    Json json = Json::array();
    for (const trace::Symptom* symptom : trace::all_symptoms()) {
      json.push_back(symptom_json(*symptom));
    }
    session.print_json(json);
    return k_exit_ok;
  }
  report::TextTable table(
      {{"CODE", report::Align::left, Colour::bold}, {"GROUP"}, {"SEVERITY"}, {"NAME"}, {"WHAT"}});
  for (const trace::Symptom* symptom : trace::all_symptoms()) {
    table.add({std::string(symptom->code),
               std::string(trace::group_of(*symptom)),
               std::string(name_of(symptom->severity)),
               std::string(symptom->name),
               std::string(symptom->summary)});
  }
  session.print(table.print(session.out(), session.width()));
  session.print(count_of(trace::all_symptoms().size(), "symptom") +
                ". Run `faultline explain CODE` to read about one.\n");
  return k_exit_ok;
}

} // namespace

Action declare_symptoms(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.flag("--json", options->json, "print JSON");
  arguments
      .option("--write-docs",
              options->docs,
              "write a page for each symptom and an index to this folder")
      .named("FOLDER");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
