#include "base/format.hpp"
#include "base/text.hpp"
#include "evaluate/reason.hpp"
#include "evaluate/text_output.hpp"
#include "report/evaluation_report.hpp"
#include "report/excerpt.hpp"

namespace faultline::report {

using evaluate::Attempt;
using evaluate::JudgedFinding;
using evaluate::OutputFormat;
using evaluate::RunStatus;
using evaluate::Tool;
using evaluate::ToolRun;

namespace {

std::string heading_of(const ToolRun& run, std::string_view version)
{
  if (run.status == RunStatus::not_run) {
    return format("On the {} version: not run: {}\n", version, printable(run.reason));
  }
  return format("On the {} version: {:.2f} s, {} MiB{}, {}{}\n",
                version,
                run.seconds,
                run.memory_kib / 1024,
                run.reason.empty() ? "" : ", " + printable(run.reason),
                count_of(run.findings.size(), "finding"),
                run.from_store ? ", from the store" : "");
}

// Each line with the number of the pattern that matched it, or a dot.
std::string text_lines(const Tool& tool, const ToolRun& run, const Painter& paint)
{
  std::vector<evaluate::ToolFinding> findings;
  std::string text;
  for (const evaluate::ReadLine& line :
       evaluate::read_lines(run.output, tool.output.patterns, findings)) {
    text += line.pattern ? paint(Colour::green, format("  {:>2} ", *line.pattern + 1)) : "   · ";
    text += "| " + printable(line.text) + "\n";
  }
  return text;
}

std::string plain_lines(const std::string& output)
{
  std::string text;
  for (const std::string_view line : split_lines(output)) {
    text += "     | " + printable(line) + "\n";
  }
  return text;
}

std::string printed(const Tool& tool, const ToolRun& run, const Painter& paint)
{
  if (run.output.empty()) {
    return "  It printed nothing.\n";
  }
  if (tool.output.format != OutputFormat::text) {
    return format("  It printed, and {} of the list gave a finding, {} did not:\n",
                  run.matched,
                  run.unmatched) +
           plain_lines(run.output);
  }
  return format("  It printed, and {} matched a pattern (its number is in front), {} did not:\n",
                count_of(run.matched, "line"),
                run.unmatched) +
         text_lines(tool, run, paint);
}

std::string
run_details(const Tool& tool, const ToolRun& run, std::string_view version, const Painter& paint)
{
  std::string text = heading_of(run, version);
  if (run.status == RunStatus::not_run) {
    return text;
  }
  text += printed(tool, run, paint);
  if (!run.log.empty()) {
    text += "  On standard error:\n" + plain_lines(run.log);
  }
  return text;
}

std::string findings_text(std::string_view title, const std::vector<JudgedFinding>& findings)
{
  std::string text = findings.empty() ? "" : std::string(title) + "\n";
  for (const JudgedFinding& judged : findings) {
    std::vector<std::string> notes;
    if (judged.right_type) {
      notes.emplace_back("right type");
    }
    if (judged.right_line) {
      notes.emplace_back("right place");
    } else if (judged.distance) {
      notes.push_back(format("{} away", count_of(*judged.distance, "line")));
    }
    if (judged.stays) {
      notes.emplace_back("also on the fixed version");
    }
    text += format("  {}:{} {} {}{}{}\n",
                   printable(judged.finding.file),
                   judged.finding.line,
                   printable(judged.finding.rule),
                   printable(judged.finding.message),
                   judged.type.empty() ? "" : " [" + printable(judged.type) + "]",
                   notes.empty() ? "" : " (" + join(notes, ", ") + ")");
  }
  return text;
}

} // namespace

std::string evaluation_details(const evaluate::Evaluation& evaluation, const Painter& paint)
{
  std::string text;
  for (const evaluate::ToolResult& tool : evaluation.tools) {
    for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
      const evaluate::Subject& subject = evaluation.subjects[s];
      const evaluate::Cell& cell = tool.cells[s];
      text += paint(Colour::bold, format("{} on {}", printable(tool.tool.name), subject.id)) +
              format(": {}: {}\n",
                     name_of(cell.judgement.verdict),
                     printable(reason_for(cell.judgement, subject)));
      for (const Attempt& attempt : cell.attempts) {
        if (!attempt.not_applicable && !attempt.not_installed) {
          text += run_details(*attempt.tool, attempt.buggy, "buggy", paint);
          text += run_details(*attempt.tool, attempt.fixed, "fixed", paint);
        }
      }
      text += findings_text("Findings on the buggy version:", cell.judgement.findings);
      text += findings_text("False alarms on the fixed version:", cell.judgement.alarms) + "\n";
    }
  }
  return text;
}

} // namespace faultline::report
