#include "study/injected_logs/study.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "report/injected_logs.hpp"

#include <array>

namespace faultline::cli {

namespace {

struct Options {
  std::string study;
  std::string folder;
  std::string csv;
  bool json = false;
};

// A published study that can be recomputed from its data.
struct Study {
  std::string_view name;
  std::string_view summary;
  Result<int> (*run)(Session& session, const Options& options);
};

Result<int> injected_logs(Session& session, const Options& options)
{
  FL_TRY(const study::injected::StudyData data, study::injected::read_study_data(options.folder));
  const study::injected::InjectedStudy result =
      study::injected::recompute(data, study::injected::published_study());
  if (!options.csv.empty()) {
    FL_CHECK(write_tree(options.csv, report::injected_logs_csv(result, data)));
  }
  if (options.json) {
    session.print_json(report::injected_logs_json(result));
  } else {
    session.print(report::injected_logs_text(result, session.out()));
  }
  return result.unexplained() == 0 ? k_exit_ok : k_exit_found;
}

constexpr std::array<Study, 1> k_studies = {{
    {"injected-logs",
     "symptoms, operators and outliers of \"How do injected bugs affect deep learning?\"",
     injected_logs},
}};

Result<int> run(Session& session, const Options& options)
{
  std::vector<std::string> names;
  for (const Study& study : k_studies) {
    if (study.name == options.study) {
      return study.run(session, options);
    }
    names.emplace_back(study.name);
  }
  const std::string guess = did_you_mean(options.study, names);
  return Error{ErrorKind::usage,
               format("unknown study `{}`{}",
                      options.study,
                      guess.empty() ? format("; there is {}", join(names, ", ")) : guess)};
}

} // namespace

Action declare_study(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  std::string about = "which one:";
  for (const Study& study : k_studies) {
    about += format(" {} ({})", study.name, study.summary);
  }
  arguments.option("name", options->study, about).required().named("NAME");
  arguments.option("folder", options->folder, "where the study's published data is")
      .required()
      .named("FOLDER");
  arguments.option("--csv", options->csv, "also write the tables to this folder as CSV files")
      .named("FOLDER");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
