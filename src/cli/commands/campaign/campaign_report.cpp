#include "report/campaign_report.hpp"

#include "base/file.hpp"
#include "base/format.hpp"
#include "campaign/record_json.hpp"
#include "cli/commands/campaign/campaign.hpp"
#include "report/csv.hpp"
#include "rules/rule.hpp"

#include <cmath>
#include <iostream>

namespace faultline::cli {

namespace {

struct Options {
  std::string folder;
  std::string format = "text";
  std::string output;
  bool csv = false;
  bool jsonl = false;
};

Result<int> put_out(const Session& session, const std::string& output, const std::string& text)
{
  if (output.empty()) {
    session.print(text);
  } else {
    FL_CHECK(write_output(output, text));
  }
  return k_exit_ok;
}

// Within the project, or the bare name: where people keep their files is not for a report.
std::string shown_path(const std::filesystem::path& file, const std::filesystem::path& root)
{
  const std::filesystem::path inside = file.lexically_relative(root);
  const bool is_inside = !inside.empty() && *inside.begin() != "..";
  return (is_inside ? inside : file.filename()).string();
}

Result<std::string>
page_of(Session& session, campaign::Store& store, const study::CampaignAnalysis& analysis)
{
  FL_TRY(const std::filesystem::path root, session.root());
  FL_TRY(const std::filesystem::path packages, session.packages());
  FL_TRY(const report::FigureScripts scripts, report::load_figure_scripts(packages));
  report::CampaignPage page;
  page.command = format("faultline campaign run {}", shown_path(analysis.data.spec.file, root));
  page.texts = [&store](const campaign::VariantRecord& record) {
    report::VariantTexts texts;
    if (Result<std::string> diff = campaign::diff_of(store, record.variant)) {
      texts.diff = *std::move(diff);
    }
    if (Result<std::optional<std::string>> log = store.log(record.variant.id, 0); log && *log) {
      texts.log = **std::move(log);
    }
    return texts;
  };
  return report::campaign_html(analysis, scripts, page);
}

Result<int> make_report(Session& session, const Options& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(campaign::Data data, store.load());
  const study::CampaignAnalysis analysis = study::analyse_campaign(std::move(data));
  if (options.format == "json") {
    return put_out(session, options.output, print_json(report::campaign_json(analysis)));
  }
  if (options.format == "csv") {
    if (options.output.empty()) {
      return Error{ErrorKind::usage, "a CSV report is several files: name a folder with --output"};
    }
    FL_CHECK(write_tree(options.output, report::campaign_csv(analysis)));
    return k_exit_ok;
  }
  if (options.format == "html") {
    FL_TRY(const std::string page, page_of(session, store, analysis));
    return put_out(session, options.output, page);
  }
  const Painter paint = options.output.empty() ? session.out() : Painter(false);
  return put_out(
      session,
      options.output,
      report::campaign_text(analysis, paint, options.output.empty() ? session.width() : 0));
}

std::string number_text(double value)
{
  return std::isnan(value) ? "nan" : format("{}", value);
}

// One row per run: first the clean program, then the variants.
Result<std::string> export_csv(campaign::Store& store, const campaign::Data& data)
{
  std::vector<std::string> header = {
      "variant", "repeat",     "symptom",    "start",          "decision",       "operator",
      "setting", "library",    "file",       "line",           "column",         "phase",
      "before",  "after",      "seconds",    "cpu_seconds",    "memory_kib",     "exception",
      "message", "crash_file", "crash_line", "crash_function", "crash_statement"};
  for (const campaign::Metric& metric : data.spec.metrics) {
    header.push_back(metric.name);
  }
  header.emplace_back("diff");
  std::map<std::string, const campaign::VariantRecord*> by_id;
  for (const campaign::VariantRecord& record : data.variants) {
    by_id[record.variant.id] = &record;
  }
  std::string text = report::csv_line(header);
  for (const std::vector<campaign::Run>* runs : {&data.clean, &data.runs}) {
    for (const campaign::Run& run : *runs) {
      const auto found = by_id.find(run.variant);
      const campaign::VariantRecord none;
      const campaign::VariantRecord& record = found == by_id.end() ? none : *found->second;
      const inject::Variant& variant = record.variant;
      const campaign::Crash crash = run.crash.value_or(campaign::Crash());
      const bool clean = found == by_id.end();
      std::vector<std::string> row = {run.variant,
                                      format("{}", run.repeat),
                                      std::string(name_of(run.symptom)),
                                      std::string(name_of(run.start)),
                                      std::string(name_of(run.decision)),
                                      variant.op,
                                      variant.setting,
                                      variant.library,
                                      variant.file,
                                      clean ? "" : format("{}", variant.line),
                                      clean ? "" : format("{}", variant.column),
                                      phases_text(record),
                                      variant.before,
                                      variant.after,
                                      format("{}", run.seconds),
                                      format("{}", run.cpu_seconds),
                                      format("{}", run.memory_kib),
                                      crash.exception,
                                      crash.message,
                                      crash.file,
                                      crash.line > 0 ? format("{}", crash.line) : "",
                                      crash.function,
                                      crash.statement};
      for (const campaign::Metric& metric : data.spec.metrics) {
        const auto value = run.metrics.find(metric.name);
        row.push_back(value == run.metrics.end() ? "" : number_text(value->second));
      }
      std::string diff;
      if (!clean) {
        FL_TRY(diff, campaign::diff_of(store, variant));
      }
      row.push_back(std::move(diff));
      text += report::csv_line(row);
    }
  }
  return text;
}

Result<std::string> export_jsonl(campaign::Store& store, const campaign::Data& data)
{
  std::map<std::string, const campaign::VariantRecord*> by_id;
  for (const campaign::VariantRecord& record : data.variants) {
    by_id[record.variant.id] = &record;
  }
  std::string text;
  for (const std::vector<campaign::Run>* runs : {&data.clean, &data.runs}) {
    for (const campaign::Run& run : *runs) {
      Json json = campaign::run_json(run);
      if (const auto found = by_id.find(run.variant); found != by_id.end()) {
        const Json variant = campaign::variant_json(*found->second);
        for (const auto& [key, value] : variant.items()) {
          if (key != "id") {
            json[key] = value;
          }
        }
        FL_TRY(json["diff"], campaign::diff_of(store, found->second->variant));
      }
      text += print_json_line(json);
    }
  }
  return text;
}

Result<int> export_runs(Session& session, const Options& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(const campaign::Data data, store.load());
  FL_TRY(const std::string text, options.csv ? export_csv(store, data) : export_jsonl(store, data));
  return put_out(session, options.output, text);
}

} // namespace

Subcommand declare_campaign_report(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command(
      "report",
      "print the results of a campaign, with statistics",
      "faultline campaign report sentence-classifier\n"
      "faultline campaign report sentence-classifier --format html --output report.html");
  auto options = std::make_shared<Options>();
  add_campaign_folder(sub, options->folder);
  sub.option("--format", options->format, "text (default), json, csv (a folder) or html")
      .one_of({"text", "json", "csv", "html"})
      .named("FORMAT");
  sub.flag(
      "--json", [options] { options->format = "json"; }, "the same as --format json");
  sub.option("--output", options->output, "write to this file instead of standard output")
      .named("FILE");
  return {sub, [options, &session] { return make_report(session, *options); }};
}

Subcommand declare_campaign_export(Arguments& arguments, Session& session)
{
  Arguments sub =
      arguments.command("export",
                        "write every run with its variant and diff",
                        "faultline campaign export sentence-classifier --csv --output runs.csv\n"
                        "faultline campaign export sentence-classifier --jsonl");
  auto options = std::make_shared<Options>();
  add_campaign_folder(sub, options->folder);
  Option csv = sub.flag("--csv", options->csv, "one row per run");
  sub.flag("--jsonl", options->jsonl, "one object per run (default)").excludes(csv);
  sub.option("--output", options->output, "write to this file instead of standard output")
      .named("FILE");
  return {sub, [options, &session] { return export_runs(session, *options); }};
}

} // namespace faultline::cli
