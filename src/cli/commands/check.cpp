#include "base/file.hpp"
#include "base/format.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "check/fixes.hpp"
#include "cli/check_report.hpp"
#include "cli/command.hpp"
#include "cli/explain_model.hpp"
#include "report/diff_text.hpp"
#include "run/interrupt.hpp"
#include "source/patch.hpp"

#include <algorithm>
#include <iostream>
#include <set>

namespace faultline::cli {

namespace {

using source::Finding;
using source::Severity;

// With fewer files than this, a progress bar is not worth it.
constexpr size_t k_worth_a_bar = 100;

Result<check::Report> check_all(const CheckSubjects& subjects, const CheckOptions& options)
{
  Progress progress("check",
                    subjects.all.size(),
                    subjects.all.size() < k_worth_a_bar ? Progress::Style::silent
                                                        : Progress::Style::automatic);
  FL_TRY(check::Report report,
         check::check_programs(subjects.all, options.check, [&progress](const std::string& path) {
           progress.advance(path);
         }));
  report.unreadable.insert(
      report.unreadable.begin(), subjects.unreadable.begin(), subjects.unreadable.end());
  return report;
}

// The lowest severity to show for findings in `file`.
Severity
threshold(const CheckOptions& options, const CheckSubjects& subjects, const std::string& file)
{
  if (!options.severity.empty()) {
    return *check::severity_named(options.severity);
  }
  if (!options.no_config) {
    const Result<const check::Config*> config = subjects.configs->config_of(file);
    if (config && (*config)->severity) {
      return *(*config)->severity;
    }
  }
  const bool for_machines = options.format == "json" || options.format == "sarif";
  return for_machines ? Severity::info : Severity::warning;
}

std::vector<Finding> shown_findings(const check::Report& report,
                                    const CheckOptions& options,
                                    const CheckSubjects& subjects)
{
  std::vector<Finding> shown;
  for (const Finding& finding : report.findings) {
    if (finding.severity >= threshold(options, subjects, finding.place.file)) {
      shown.push_back(finding);
    }
  }
  return shown;
}

check::FixLevel fix_level(const CheckOptions& options)
{
  return options.unsafe ? check::FixLevel::all : check::FixLevel::safe;
}

std::set<std::string> files_of(const CheckSubjects& subjects)
{
  std::set<std::string> files;
  for (const check::Subject& subject : subjects.all) {
    files.insert(subject.path);
  }
  return files;
}

// Fix and check again, repeatedly, because fixes may have been in each other's way.
Result<check::Report>
fix_all(check::Report report, const CheckSubjects& subjects, const CheckOptions& options)
{
  constexpr int k_most_rounds = 10;
  size_t fixed = 0;
  for (int round = 0; round < k_most_rounds && !report.interrupted; ++round) {
    FL_TRY(const check::FixedFiles files,
           check::apply_fixes(report, fix_level(options), files_of(subjects)));
    if (files.after.empty()) {
      break;
    }
    FL_CHECK(check::write_fixes(files));
    fixed += files.fixed;
    FL_TRY(report, check_all(subjects, options));
  }
  std::cerr << "faultline: " << count_of(fixed, "finding") << " fixed\n";
  return report;
}

Result<std::string> diff_of(const check::Report& report,
                            const CheckSubjects& subjects,
                            const CheckOptions& options,
                            const Painter& paint)
{
  FL_TRY(const check::FixedFiles files,
         check::apply_fixes(report, fix_level(options), files_of(subjects)));
  std::cerr << "faultline: " << count_of(files.fixed, "finding") << " can be fixed in "
            << count_of(files.after.size(), "file") << "\n";
  return report::paint_diff(source::print_patch(source::make_patch(files.before, files.after)),
                            paint);
}

Result<void>
print_or_write(const std::string& text, const CheckOptions& options, const Session& session)
{
  if (options.output.empty()) {
    session.print(text);
    return {};
  }
  return write_output(options.output, text);
}

void report_unreadable(const std::vector<check::Unreadable>& files, const Session& session)
{
  for (const check::Unreadable& file : files) {
    const std::string_view what = file.failed ? "analysis failed of" : "cannot read";
    report_error({ErrorKind::bad_data, format("{} {}: {}", what, file.path, file.reason)},
                 session.err());
  }
}

Result<int>
run_explain_model(const Session& session, const CheckOptions& options, CheckSubjects subjects)
{
  const Painter paint = options.output.empty() ? session.out() : Painter(false);
  FL_TRY(const std::string text, explain_models(subjects.all, options, paint, subjects.unreadable));
  FL_CHECK(print_or_write(text, options, session));
  std::cout.flush();
  report_unreadable(subjects.unreadable, session);
  if (run::interrupted()) {
    return k_exit_interrupted;
  }
  return subjects.unreadable.empty() ? k_exit_ok : k_exit_wrong;
}

Result<int> run(Session& session, const CheckOptions& options)
{
  FL_CHECK(check_consistency(options));
  FL_TRY(CheckSubjects subjects, find_subjects(options));
  run::catch_interrupts();
  if (options.explain_model) {
    return run_explain_model(session, options, std::move(subjects));
  }
  FL_TRY(check::Report report, check_all(subjects, options));
  if (options.fix) {
    FL_TRY(report, fix_all(std::move(report), subjects, options));
  }
  const std::vector<Finding> shown = shown_findings(report, options, subjects);
  const Painter paint = options.output.empty() ? session.out() : Painter(false);
  std::string text;
  if (options.diff) {
    FL_TRY(text, diff_of(report, subjects, options, paint));
  } else {
    text = render(report, shown, options, paint);
  }
  FL_CHECK(print_or_write(text, options, session));
  std::cout.flush();

  report_unreadable(report.unreadable, session);
  std::cerr << "faultline: " << coverage_line(report) << '\n';
  if (report.interrupted) {
    std::cerr << "faultline: interrupted; the findings so far are above\n";
    return k_exit_interrupted;
  }
  if (!report.unreadable.empty()) {
    return k_exit_wrong;
  }
  const bool found = std::ranges::any_of(
      shown, [](const Finding& finding) { return finding.severity >= Severity::warning; });
  return found ? k_exit_found : k_exit_ok;
}

} // namespace

Action declare_check(Arguments& arguments, Session& session)
{
  const std::shared_ptr<CheckOptions> options = add_check_options(arguments);
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
