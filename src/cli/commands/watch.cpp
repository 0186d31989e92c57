#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/live_area.hpp"
#include "cli/output_path.hpp"
#include "cli/watch_summary.hpp"
#include "report/finding_text.hpp"
#include "report/watch_report.hpp"
#include "report/watch_view.hpp"
#include "watch/session.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace faultline::cli {

namespace {

namespace fs = std::filesystem;

using source::Severity;

struct Options {
  std::vector<std::string> command;
  std::string format = "text";
  std::string output;
  std::string report;
  std::string stop_on;
  std::string severity = "warning";
  std::string keep;
  std::string replay;
  int every = 0;
  bool no_experiments = false;
  bool no_live = false;
};

std::optional<Severity> severity_of(const std::string& name)
{
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error}) {
    if (name_of(severity) == name) {
      return severity;
    }
  }
  return std::nullopt;
}

Result<void> check_consistency(const Options& options)
{
  const auto wrong = [](const char* text) { return Error{ErrorKind::usage, text}; };
  if (options.replay.empty() && options.command.empty()) {
    return wrong("nothing to watch: give the command after `--`, as in `faultline watch -- python3 "
                 "train.py`, or a trace with --replay");
  }
  if (!options.replay.empty() && !options.command.empty()) {
    return wrong("give a command or --replay, not both");
  }
  if (!options.replay.empty() && !options.keep.empty()) {
    return wrong("--replay reads a trace: --trace has nothing to record");
  }
  return {};
}

// The text of the files that findings refer to, for excerpts.
source::FileSet files_of(const std::vector<trace::Detection>& detections)
{
  source::FileSet files;
  for (const trace::Detection& detection : detections) {
    const std::string& path = detection.finding.place.file;
    if (!path.empty() && !files.contains(path)) {
      if (Result<std::string> text = read_file(path)) {
        files.add(path, std::move(*text));
      }
    }
  }
  return files;
}

// A probe knows lines, not columns: where the file can be read, the finding is the statement on its
// line, and the excerpt need not say again what it shows.
source::Finding on_its_line(source::Finding finding, const source::FileSet& files)
{
  const std::optional<std::string_view> line = files.line(finding.place, finding.place.line);
  if (line && !trim(*line).empty()) {
    finding.place.column = display_width(line->substr(0, line->find(trim(*line)))) + 1;
    finding.place.end_column = finding.place.column + display_width(trim(*line));
    finding.label.clear();
  }
  return finding;
}

// Prints a finding on the terminal as it comes, with an excerpt, like `check` does.
std::string print_detection(const trace::Detection& detection, const Painter& paint)
{
  const source::FileSet files = files_of({detection});
  return report::finding_text(on_its_line(detection.finding, files), files, paint) + "\n";
}

size_t terminal_rows()
{
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

// Shows findings while the program runs.
class Screen {
public:
  Screen(const Options& options, const Session& session)
      : m_least(*severity_of(options.severity)), m_paint(session.err()),
        m_live(options.replay.empty() && !options.no_live && is_terminal(STDERR_FILENO) &&
               (options.format == "text" || !is_terminal(STDOUT_FILENO)))
  {
  }

  bool is_live() const { return m_live.is_on(); }

  watch::Observer observer()
  {
    watch::Observer observer;
    observer.detected = [this](const trace::Detection& detection) {
      m_detections.push_back(detection);
      if (detection.finding.severity >= m_least) {
        m_live.print(print_detection(detection, m_paint));
      }
    };
    if (is_live()) {
      observer.printed = [this](std::string_view text) { m_live.print(text); };
      observer.tick = [this](const trace::Trace& trace) {
        const report::ViewSize size{terminal_width(STDERR_FILENO) - 1,
                                    std::clamp<size_t>(terminal_rows() / 2, 4, 16)};
        m_live.draw(report::watch_view(trace, m_detections, size, m_paint));
      };
    }
    observer.noted = [this](const std::string& note) {
      m_live.print("faultline: note: " + note + "\n");
    };
    return observer;
  }

  void close() { m_live.clear(); }

private:
  Severity m_least;
  Painter m_paint;
  LiveArea m_live;
  std::vector<trace::Detection> m_detections;
};

Result<watch::Outcome> watch_or_replay(Session& session, const Options& options)
{
  Screen screen(options, session);
  const watch::Observer observer = screen.observer();
  if (!options.replay.empty()) {
    return watch::replay(options.replay, observer);
  }
  watch::Order order;
  order.command = options.command;
  order.probes = session.probes();
  order.every = options.every;
  order.experiments = !options.no_experiments;
  order.keep = options.keep;
  order.stop_on = severity_of(options.stop_on);
  if (screen.is_live()) {
    order.output = run::Attached::Output::of_terminal;
  } else if (options.format != "text" && options.output.empty()) {
    order.output = run::Attached::Output::to_stderr;
  }
  Result<watch::Outcome> outcome = watch::watch(order, observer);
  screen.close();
  return outcome;
}

std::string render(const watch::Outcome& outcome,
                   const std::vector<trace::Detection>& shown,
                   const std::string& form)
{
  const source::FileSet files = files_of(shown);
  if (form == "sarif") {
    return print_json(report::sarif(report::watch_sarif(shown, FL_VERSION), files));
  }
  Json json = Json::array();
  for (const trace::Detection& detection : shown) {
    json.push_back(report::detection_json(detection, outcome.analyser->trace(), files));
  }
  return print_json(json);
}

// Checks before the run what is needed only after it, which may be hours later.
Result<report::FigureScripts> check_outputs(const Session& session, const Options& options)
{
  FL_CHECK(check_writable("--output", options.output));
  FL_CHECK(check_writable("--report", options.report));
  FL_CHECK(check_writable("--trace", options.keep));
  if (options.report.empty()) {
    return report::FigureScripts();
  }
  FL_TRY(const fs::path packages, session.packages());
  return report::load_figure_scripts(packages);
}

// The findings as text for a file.
std::string plain_text(const std::vector<trace::Detection>& shown, const std::string& summary)
{
  std::string text;
  for (const trace::Detection& detection : shown) {
    text += print_detection(detection, Painter(false));
  }
  return text + summary + "\n";
}

// Text was already printed during the run; it is written again only to a file.
Result<void> write_findings(const Session& session, const Options& options, const std::string& text)
{
  if (!options.output.empty()) {
    return write_output(options.output, text);
  }
  if (options.format != "text") {
    session.print(text);
  }
  return {};
}

report::WatchEnd end_of(const watch::Outcome& outcome)
{
  return outcome.interrupted ? report::WatchEnd::interrupt
         : outcome.stopped   ? report::WatchEnd::finding
                             : report::WatchEnd::program;
}

Result<void> write_report(const Options& options,
                          const watch::Outcome& outcome,
                          const std::vector<trace::Detection>& shown,
                          const report::FigureScripts& scripts)
{
  if (options.report.empty()) {
    return {};
  }
  const trace::Trace& trace = outcome.analyser->trace();
  const std::string command =
      join(options.replay.empty() ? options.command : trace.start().command, " ");
  return write_output(
      options.report,
      report::watch_html(
          trace, shown, files_of(shown), scripts, {command, utc_now(), end_of(outcome)}));
}

std::vector<trace::Detection> shown_of(const watch::Outcome& outcome, Severity least)
{
  std::vector<trace::Detection> shown;
  for (trace::Detection detection : outcome.detections) {
    if (detection.finding.severity >= least) {
      detection.finding = on_its_line(detection.finding, files_of({detection}));
      shown.push_back(std::move(detection));
    }
  }
  return shown;
}

int exit_status(const watch::Outcome& outcome, const Options& options)
{
  if (outcome.interrupted) {
    return k_exit_interrupted;
  }
  const bool found = std::ranges::any_of(outcome.detections, [](const trace::Detection& detection) {
    return detection.finding.severity >= Severity::warning;
  });
  if (found || outcome.stopped) {
    return k_exit_found;
  }
  // A replay runs no program, so there is no status to pass on.
  return options.replay.empty() ? outcome.status.value_or(k_exit_machine) : int{k_exit_ok};
}

Result<int> run(Session& session, const Options& options)
{
  FL_CHECK(check_consistency(options));
  FL_TRY(const report::FigureScripts scripts, check_outputs(session, options));
  FL_TRY(const watch::Outcome outcome, watch_or_replay(session, options));
  const bool is_text = options.format == "text";
  const Severity least = is_text ? *severity_of(options.severity) : Severity::info;
  const std::vector<trace::Detection> shown = shown_of(outcome, least);
  const std::string summary = watch_summary(outcome, {least, severity_of(options.stop_on)});
  FL_CHECK(write_findings(session,
                          options,
                          is_text ? plain_text(shown, summary)
                                  : render(outcome, shown, options.format)));
  FL_CHECK(write_report(options, outcome, shown, scripts));
  std::cout.flush();
  std::cerr << "faultline: " << summary << '\n';
  return exit_status(outcome, options);
}

} // namespace

Action declare_watch(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("command", options->command, "the training program, after `--`")
      .named("COMMAND");
  arguments.option("--format", options->format, "how to print findings")
      .one_of({"text", "json", "sarif"})
      .shows_default();
  arguments.flag(
      "--json", [options] { options->format = "json"; }, "the same as --format json");
  arguments.option("--output", options->output, "write the findings to this file, in any format")
      .named("FILE");
  arguments
      .option("--report",
              options->report,
              "write an HTML page with findings and curves for every layer")
      .named("FILE.html");
  arguments.option("--severity", options->severity, "lowest severity to print as text")
      .one_of({"info", "warning", "error"})
      .shows_default();
  arguments
      .option("--stop-on", options->stop_on, "stop the program at the first finding this severe")
      .one_of({"info", "warning", "error"});
  arguments.option("--trace", options->keep, "save what the probe records").named("FILE");
  arguments
      .option("--replay", options->replay, "analyse a saved trace instead of running a program")
      .named("FILE");
  arguments
      .option("--every",
              options->every,
              "inspect every Nth step closely (default: more often at first)")
      .at_least(1)
      .named("N");
  arguments.flag(
      "--no-experiments", options->no_experiments, "run no experiments on copies of the process");
  arguments.flag(
      "--no-live", options->no_live, "print findings as they come, without the live view");
  arguments.add_to_help(
      "Missing folders of --output, --report and --trace are created.\n"
      "The first Ctrl-C is passed on to the program, which may save its work; the second kills "
      "it.\n"
      "Exit status: 130 if interrupted; 1 if there was an error or a warning, or if --stop-on\n"
      "ended the program; otherwise that of the program. A replay exits with 0 or 1.");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
