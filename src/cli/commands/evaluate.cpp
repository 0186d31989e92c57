#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/progress.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"
#include "cli/output_path.hpp"
#include "cli/run_options.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/reason.hpp"
#include "evaluate/score.hpp"
#include "report/evaluation_report.hpp"
#include "report/excerpt.hpp"
#include "run/installation.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::shared_ptr<RunOptions> run;
  std::vector<std::string> ids;
  std::vector<std::string> tools;
  std::string set;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  bool fresh = false;
  bool json = false;
  bool verbose = false;
  bool try_out = false;
  std::string format; // empty: text, or JSON if that was asked for
  std::string output;
};

// Rejects options that contradict each other or cannot work, before anything runs.
Result<void> check_wishes(Options& options)
{
  if (options.json && !options.format.empty() && options.format != "json") {
    return Error{
        ErrorKind::usage,
        format("--json is the same as --format json and contradicts --format {}", options.format)};
  }
  if (options.format.empty()) {
    options.format = options.json ? "json" : "text";
  }
  if (options.try_out && options.format != "text") {
    return Error{ErrorKind::usage, "--try shows one run as text: leave out --format and --json"};
  }
  if (options.try_out && options.tools.size() != 1) {
    return Error{ErrorKind::usage, "--try is about one tool: name it with --tool"};
  }
  if (options.try_out && options.ids.size() > 1) {
    return Error{ErrorKind::usage, "--try is about one fault: name one, or none for the first"};
  }
  return check_writable("--output", options.output);
}

// Rejects filters by labels that the programs of a set do not have.
Result<void> check_for_set(const Options& options)
{
  for (const Option& option : options.filter->given()) {
    if (option.name() != "--type" && option.name() != "--framework") {
      return Error{ErrorKind::usage,
                   format("{} cannot choose from a set, whose programs have no such label: use "
                          "ids, --type or --framework",
                          option.name())};
    }
  }
  return {};
}

// The selected programs: faults, or a set of other people's programs.
Result<std::vector<evaluate::Subject>> subjects_of(Session& session, Options& options)
{
  FL_TRY(const catalog::Catalog* all, session.catalog());
  if (!options.set.empty()) {
    FL_CHECK(check_for_set(options));
    FL_TRY(std::vector<evaluate::Subject> set, evaluate::load_set(options.set, all->schemes));
    return evaluate::select_from_set(
        std::move(set),
        {options.ids, options.filter->labels["type"], options.filter->filter.frameworks},
        all->schemes);
  }
  options.filter->filter.ids = options.ids;
  FL_TRY(const std::vector<const catalog::Fault*> faults,
         selected_faults(session, *options.filter));
  std::vector<evaluate::Subject> subjects;
  for (const catalog::Fault* fault : faults) {
    FL_TRY(evaluate::Subject subject, evaluate::subject_of(*fault));
    subjects.push_back(std::move(subject));
  }
  if (subjects.empty()) {
    return Error{ErrorKind::usage, "no fault matches"};
  }
  return subjects;
}

// The command that repeats this evaluation.
std::string command_line(const Options& options)
{
  std::string text = "faultline evaluate";
  for (const std::string& id : options.ids) {
    text += " " + id;
  }
  for (const std::string& tool : options.tools) {
    text += " --tool " + tool;
  }
  text += options.filter->words();
  return options.set.empty() ? text : text + " --set " + options.set;
}

report::EvaluationPage page_of(const Options& options, const run::Environments& environments)
{
  const run::Environment& environment = environments.machine();
  report::EvaluationPage page;
  page.command = command_line(options);
  page.date = utc_now().substr(0, 10);
  page.version = FL_VERSION;
  page.packages = environments.packages();
  if (environment.python) {
    page.packages["python"] = environment.python->version;
  }
  if (environment.node) {
    page.packages["node"] = environment.node->version;
  }
  page.subjects = !options.set.empty()            ? options.set
                  : options.filter->split.empty() ? "the faultload"
                                                  : "the " + options.filter->split + " split";
  return page;
}

// Who evaluates on one fault wants to know why it was missed.
std::string one_fault_reasons(const evaluate::Evaluation& evaluation)
{
  std::string text;
  if (evaluation.subjects.size() == 1) {
    for (const evaluate::ToolResult& tool : evaluation.tools) {
      text += format(
          "{}: {}\n",
          tool.tool.name,
          report::printable(reason_for(tool.cells.front().judgement, evaluation.subjects.front())));
    }
  }
  return text;
}

// Of the programs that were asked for, the first that the tool is for.
Result<void> keep_one(const evaluate::Toolbox& box, std::vector<evaluate::Subject>& subjects)
{
  const auto applies = [&box](const evaluate::Subject& subject) {
    return std::ranges::any_of(box.tools, [&subject](const evaluate::Tool& tool) {
      return !tool.is_union() && !evaluate::not_applicable(tool, subject);
    });
  };
  const auto first = std::ranges::find_if(subjects, applies);
  if (first == subjects.end()) {
    return Error{ErrorKind::usage, "the tool applies to none of these programs"};
  }
  subjects = {*first};
  return {};
}

// What --try shows before anything runs: how the tool is started, and what it sees.
std::string started_with(const evaluate::Toolbox& box,
                         const evaluate::Subject& subject,
                         const run::Environments& environments,
                         const evaluate::OwnTools& own)
{
  std::string text;
  for (const evaluate::Tool& tool : box.tools) {
    if (tool.is_union()) {
      continue;
    }
    const run::Job job = evaluate::tool_job(
        tool, subject, catalog::Version::buggy, environment_of(tool, subject, environments), own);
    text += format("{} is started in the program's folder with\n  {}\n",
                   tool.name,
                   shell_line(evaluate::shown_command(job)));
    text += "The program's folder has\n";
    for (const auto& [path, content] : job.files) {
      text += format("  {} ({} bytes)\n", path, content.size());
    }
    text += "Of the machine it sees /usr and, read-only,\n";
    for (const run::Mount& mount : job.mounts) {
      text += format("  {}{}\n",
                     mount.inside,
                     mount.host == mount.inside ? "" : ", which is " + mount.host.string());
    }
    for (size_t i = 0; i < tool.output.patterns.size(); ++i) {
      text += format("Pattern {}: {}\n", i + 1, tool.output.patterns[i]);
    }
    text += format("Limits: {} s, {} MiB, {} processes, {} MiB of output\n\n",
                   job.limits.wall_seconds,
                   job.limits.memory_mib,
                   job.limits.processes,
                   tool.limits.output_mib);
  }
  return text;
}

std::string rendered(const Options& options,
                     const evaluate::Evaluation& evaluation,
                     const report::EvaluationPage& page,
                     const Painter& paint)
{
  const evaluate::Scoreboard board = evaluate::score(evaluation);
  if (options.format == "json") {
    return print_json(report::evaluation_json(evaluation, board, page));
  }
  if (options.format == "csv") {
    return report::evaluation_csv(evaluation);
  }
  if (options.format == "latex") {
    return report::evaluation_latex(evaluation, board, page);
  }
  if (options.format == "html") {
    return report::evaluation_html(evaluation, board, page);
  }
  const std::string details = options.verbose || options.try_out
                                  ? report::evaluation_details(evaluation, paint)
                                  : one_fault_reasons(evaluation);
  return options.try_out ? details
                         : report::evaluation_text(evaluation, board, page, paint) +
                               (details.empty() ? "" : "\n" + details);
}

bool any_not_run(const evaluate::Evaluation& evaluation)
{
  return std::ranges::any_of(evaluation.tools, [](const evaluate::ToolResult& tool) {
    return std::ranges::any_of(tool.cells, [](const evaluate::Cell& cell) {
      return cell.judgement.verdict == evaluate::Verdict::not_run;
    });
  });
}

Result<int> run(Session& session, Options& options)
{
  FL_CHECK(check_wishes(options));
  FL_TRY(const fs::path tools, session.tools());
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(const evaluate::Toolbox box, evaluate::load_tools(tools, options.tools, all->schemes));
  if (box.asked.empty()) {
    return Error{ErrorKind::usage, format("no tools in {}", tools.string())};
  }
  FL_TRY(std::vector<evaluate::Subject> subjects, subjects_of(session, options));
  FL_TRY(const run::Environments* environments, session.environments());
  FL_TRY(const fs::path home, session.home());
  FL_CHECK(session.store()); // creates the file, or fails if another version made it
  FL_TRY(evaluate::RunStore store, evaluate::RunStore::open(home / "store.sqlite"));
  FL_CHECK(check_can_run(*options.run));
  run::Compiler compiler(environments->machine(), home, options.run->config().isolation);
  run::catch_interrupts();

  evaluate::EvaluatorConfig config;
  config.workers = options.jobs;
  config.fresh = options.fresh || options.try_out;
  config.runner = options.run->config();
  config.own = {run::own_executable(), run::installation().data};
  if (options.try_out) {
    FL_CHECK(keep_one(box, subjects));
    session.print(started_with(box, subjects.front(), *environments, config.own));
  }
  evaluate::Evaluator evaluator(*environments, store, compiler, config);
  const double start = monotonic_seconds();
  std::optional<Progress> progress;
  const evaluate::Evaluation evaluation = evaluator.evaluate(
      box,
      std::move(subjects),
      [&progress](size_t runs) { progress.emplace("evaluate", runs); },
      [&progress](const evaluate::FinishedToolRun& done) {
        progress->advance(format("{} on {}", done.tool.name, done.subject.id));
      });
  progress.reset();

  const std::string text = rendered(options,
                                    evaluation,
                                    page_of(options, *environments),
                                    options.output.empty() ? session.out() : Painter(false));
  if (options.output.empty()) {
    session.print(text);
  } else {
    FL_CHECK(write_output(options.output, text));
  }
  if (run::interrupted()) {
    std::cerr << "faultline: interrupted; finished runs are kept, repeat the command to continue\n";
    return k_exit_interrupted;
  }
  if (options.format == "text" && options.output.empty() && !options.try_out) {
    session.print(format("\n{}, {} of them new, {}.\n",
                         count_of(evaluation.runs, "run"),
                         evaluation.fresh_runs,
                         print_duration(monotonic_seconds() - start)));
  }
  return any_not_run(evaluation) ? k_exit_machine : k_exit_ok;
}

} // namespace

Action declare_evaluate(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->ids, "only these faults, or these programs of the set")
      .named("ID");
  arguments.option("--tool", options->tools, "a tool: its name, or a .toml file (all of tools/)")
      .repeated()
      .named("NAME");
  arguments
      .option("--set",
              options->set,
              "evaluate on other programs: a folder with a CSV file, or the file")
      .named("DIR");
  options->filter = add_filter_options(arguments);
  arguments.option("--jobs", options->jobs, "runs in parallel (number of cores)")
      .within(1, 256)
      .named("N");
  arguments.flag("--fresh", options->fresh, "rerun everything, even if its result is stored");
  arguments.option("--format", options->format, "text (default), json, csv, html or latex")
      .one_of({"text", "json", "csv", "html", "latex"})
      .named("NAME");
  arguments.flag("--verbose",
                 options->verbose,
                 "also print what each tool printed, how it was read, and why a fault was missed");
  arguments.flag("--try",
                 options->try_out,
                 "run one tool on one fault (the first that it applies to) and print everything");
  arguments.flag("--json", options->json, "the same as --format json");
  arguments.option("--output", options->output, "write to this file instead of standard output")
      .named("FILE");
  options->run = add_run_options(arguments);
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
