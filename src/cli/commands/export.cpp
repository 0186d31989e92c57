#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/similarity.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"
#include "report/csv.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::string format = "jsonl";
  std::string output;
};

// One row a part, so that a table of labels is complete.
std::string csv_of(const std::vector<const catalog::Fault*>& faults,
                   const catalog::Similarity& similarity)
{
  std::vector<std::string> header = {"id",
                                     "part",
                                     "title",
                                     "framework",
                                     "language",
                                     "split",
                                     "status",
                                     "silent",
                                     "support",
                                     "origin_kind",
                                     "origin_url",
                                     "dataset",
                                     "record"};
  header.insert(header.end(), catalog::k_scheme_names.begin(), catalog::k_scheme_names.end());
  header.insert(header.end(), {"published", "file", "lines", "alternatives", "api", "data", "fix"});
  std::string text = report::csv_line(header);
  for (const catalog::Fault* fault : faults) {
    for (const catalog::Part& part : fault->parts) {
      std::vector<std::string> row = {fault->id,
                                      part.name,
                                      part.title,
                                      fault->framework,
                                      fault->language(),
                                      fault->split,
                                      fault->withdrawn ? "withdrawn" : "active",
                                      fault->silent ? "true" : "false",
                                      format("{}", similarity.support(*fault)),
                                      fault->origin.kind,
                                      fault->origin.url,
                                      fault->origin.dataset,
                                      fault->origin.record};
      row.insert(row.end(), part.labels.values.begin(), part.labels.values.end());
      const std::vector<std::string> published(part.labels.published.begin(),
                                               part.labels.published.end());
      std::vector<std::string> lines;
      for (const int line : part.location.lines) {
        lines.push_back(format("{}", line));
      }
      row.insert(row.end(),
                 {join(published, "|"),
                  part.location.file,
                  join(lines, "|"),
                  format("{}", fault->accepted.size()),
                  fault->realism.api,
                  fault->realism.data,
                  fault->realism.fix});
      text += report::csv_line(row);
    }
  }
  return text;
}

Result<int> run(Session& session, Options& options)
{
  FL_TRY(const std::vector<const catalog::Fault*> faults,
         selected_faults(session, *options.filter));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  const catalog::Similarity similarity(*all);
  std::string text;
  if (options.format == "csv") {
    text = csv_of(faults, similarity);
  } else {
    for (const catalog::Fault* fault : faults) {
      text += print_json_line(catalog::full_json(*fault, similarity.support(*fault)));
    }
  }
  if (options.output.empty()) {
    session.print(text);
  } else {
    FL_CHECK(write_output(options.output, text));
  }
  return k_exit_ok;
}

} // namespace

Action declare_export(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  options->filter = add_filter_options(arguments);
  arguments.option("--format", options->format, "jsonl (default) or csv")
      .one_of({"jsonl", "csv"})
      .named("NAME");
  arguments.option("--output", options->output, "to this file instead of standard output")
      .named("FILE");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
