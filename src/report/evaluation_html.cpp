// The page of an evaluation. What tools printed and what programs are called is hostile text and
// goes through escape_html; the policy in the head forbids the page to load anything at all.

#include "base/format.hpp"
#include "base/text.hpp"
#include "evaluate/reason.hpp"
#include "report/evaluation_page.hpp"
#include "report/evaluation_report.hpp"
#include "report/html.hpp"
#include "report/page.hpp"
#include "report/text_table.hpp"

namespace faultline::report {

using evaluate::Attempt;
using evaluate::Cell;
using evaluate::Evaluation;
using evaluate::JudgedFinding;
using evaluate::Scoreboard;
using evaluate::Scores;
using evaluate::Share;
using evaluate::Subject;
using evaluate::ToolResult;
using evaluate::ToolRun;
using evaluate::Verdict;

namespace {

// More than this of a tool's findings is not shown one by one.
constexpr size_t k_most_shown = 20;

std::string class_of(Verdict verdict)
{
  return "v-" + replace_all(std::string(name_of(verdict)), " ", "-");
}

std::string head()
{
  return page_head({.title = "Evaluation of fault detectors", .style = evaluation_page_style()}) +
         "<a class=\"skip\" href=\"#matrix\">To the matrix</a>\n";
}

std::string
header(const Evaluation& evaluation, const Scoreboard& board, const EvaluationPage& page)
{
  std::string facts;
  if (!board.order.empty()) {
    const size_t best = board.order.front();
    const Scores& scores = board.tools[best].all;
    const auto fact = [&facts](std::string_view name, const std::string& value, std::string more) {
      facts += fact_html(name, value, more);
    };
    fact("Best tool", evaluation.tools[best].tool.name, "by right causes");
    fact("Right cause",
         print_share(scores.recall),
         format("{} of {} that it applies to", scores.recall.hits, scores.recall.of));
    fact("Precision", print_share(scores.precision), "of what it reports");
    fact("False alarms",
         print_share(scores.false_alarms),
         format("{} of {} fixed versions", scores.false_alarms.hits, scores.false_alarms.of));
    fact("Right line first", print_share(scores.line.top1), "top-1");
  }
  return format(
      "<header><p class=\"kicker\">Evaluation of fault detectors</p><h1>{} on {}</h1>"
      "<p class=\"kicker\">{} · {} · Faultline {}</p>\n<dl class=\"facts\">{}</dl></header>\n",
      count_of(evaluation.tools.size(), "tool"),
      count_of(evaluation.subjects.size(), "program"),
      escape_html(page.subjects),
      escape_html(page.date),
      escape_html(page.version),
      facts);
}

std::string share_cell(const Share& share)
{
  const std::optional<double> value = share.value();
  return format("<td class=\"r\" data-n=\"{}\">{}</td>",
                value.value_or(-1),
                escape_html(print_with_interval(share)));
}

std::string head_row(const std::vector<std::string>& names)
{
  std::string html = "<thead><tr>";
  for (const std::string& name : names) {
    html += format("<th scope=\"col\"><button type=\"button\">{}</button></th>", escape_html(name));
  }
  return html + "</tr></thead>\n";
}

std::string leaderboard(const Evaluation& evaluation, const Scoreboard& board)
{
  std::string html =
      "<section id=\"board\"><h2>Leaderboard</h2><p class=\"note\">Shares with Wilson's 95 % "
      "intervals. Recall: the type or the place is right, of the faults that the tool applies "
      "to.</p><div class=\"scroll\"><table class=\"sortable\">" +
      head_row({"Tool",
                "Faults",
                "Recall",
                "Of all",
                "Precision",
                "False alarms",
                "Top-1",
                "Top-3",
                "Top-5",
                "Statement top-1",
                "Layer top-1",
                "Type",
                "Category",
                "Seconds"}) +
      "<tbody>\n";
  for (const size_t at : board.order) {
    const ToolResult& tool = evaluation.tools[at];
    const Scores& scores = board.tools[at].all;
    html += format("<tr><td title=\"{}\">{}</td><td class=\"r\" data-n=\"{}\">{}</td>",
                   escape_html(tool.tool.summary),
                   escape_html(tool.tool.name),
                   scores.recall.of,
                   tool.not_installed.empty() ? format("{}", scores.recall.of) : "not installed");
    for (const Share* share : {&scores.recall,
                               &scores.recall_of_all,
                               &scores.precision,
                               &scores.false_alarms,
                               &scores.line.top1,
                               &scores.line.top3,
                               &scores.line.top5,
                               &scores.statement.top1,
                               &scores.layer.top1,
                               &scores.type,
                               &scores.category}) {
      html += share_cell(*share);
    }
    html += format("<td class=\"r\" data-n=\"{0}\">{0:.1f}</td></tr>\n", scores.seconds);
  }
  html += "</tbody></table></div>\n";
  for (const size_t at : board.order) {
    for (const std::string& line : failures_of(evaluation.tools[at], evaluation.subjects)) {
      html += format("<p class=\"note\">{}</p>\n", escape_html(line));
    }
  }
  return html + "</section>\n";
}

std::string groups(const Evaluation& evaluation, const Scoreboard& board)
{
  if (board.tools.empty() || board.tools.front().groups.empty()) {
    return "";
  }
  std::vector<std::string> names = {"By", "Group"};
  for (const size_t at : board.order) {
    names.push_back(evaluation.tools[at].tool.name);
  }
  std::string html = "<section id=\"groups\"><h2>Recall by group</h2><div class=\"scroll\">"
                     "<table class=\"sortable\">" +
                     head_row(names) + "<tbody>\n";
  for (size_t i = 0; i < board.tools.front().groups.size(); ++i) {
    const evaluate::GroupScores& group = board.tools.front().groups[i];
    html += format("<tr><td>{}</td><td>{}</td>",
                   escape_html(replace_all(group.by, "_", " ")),
                   escape_html(group.name));
    for (const size_t at : board.order) {
      html += share_cell(board.tools[at].groups[i].scores.recall);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div></section>\n";
}

std::string pairs(const Evaluation& evaluation, const Scoreboard& board)
{
  if (board.pairs.empty()) {
    return "";
  }
  std::string html =
      "<section id=\"pairs\"><h2>Do two tools differ?</h2><p class=\"note\">McNemar's exact test "
      "on the faults that both apply to; Holm's adjustment is for all pairs together.</p><div "
      "class=\"scroll\"><table class=\"sortable\">" +
      head_row({"First",
                "Second",
                "Both right",
                "Only first",
                "Only second",
                "Neither",
                "p",
                "p (Holm)"}) +
      "<tbody>\n";
  for (const evaluate::Comparison& pair : board.pairs) {
    html += format("<tr><td>{}</td><td>{}</td>",
                   escape_html(evaluation.tools[pair.first].tool.name),
                   escape_html(evaluation.tools[pair.second].tool.name));
    for (const size_t count : {pair.both, pair.only_first, pair.only_second, pair.neither}) {
      html += format("<td class=\"r\" data-n=\"{0}\">{0}</td>", count);
    }
    for (const double p : {pair.p, pair.p_adjusted}) {
      html += format("<td class=\"r\" data-n=\"{}\">{}</td>", p, escape_html(print_p(p)));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div></section>\n";
}

std::string panel_id(size_t tool, size_t subject)
{
  return format("c-{}-{}", tool, subject);
}

// What a filter finds a fault by beside its name.
std::string words_of(const Subject& subject)
{
  std::string words = subject.title;
  for (const auto& [by, values] : subject.groups) {
    for (const std::string& value : values) {
      words += " " + value;
    }
  }
  return words;
}

std::string matrix(const Evaluation& evaluation, const Scoreboard& board)
{
  std::vector<std::string> names = {"Fault"};
  for (const size_t at : board.order) {
    names.push_back(evaluation.tools[at].tool.name);
  }
  std::string html = "<section id=\"matrix\"><h2>Every fault, every tool</h2><ul class=\"key\">";
  for (const Verdict verdict : {Verdict::both,
                                Verdict::right_place,
                                Verdict::right_type,
                                Verdict::wrong_cause,
                                Verdict::said_nothing,
                                Verdict::crashed}) {
    html += format("<li><span class=\"{}\">{}</span></li>",
                   class_of(verdict),
                   verdict == Verdict::crashed ? "crashed, timed out, out of memory"
                                               : name_of(verdict));
  }
  html += format(
      "<li>! false alarm on the fixed version</li></ul>\n<div class=\"filter\"><label>Filter "
      "<input id=\"filter\" type=\"search\" placeholder=\"pytorch silent crash\"></label>"
      "<span class=\"note\" id=\"shown\">{0} of {0}</span></div>\n"
      "<div class=\"scroll matrix\"><table class=\"sortable\" id=\"cells\" data-filtered>",
      evaluation.subjects.size());
  html += head_row(names) + "<tbody>\n";
  for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
    const Subject& subject = evaluation.subjects[s];
    html += format("<tr data-words=\"{}\"><td title=\"{}\">{}</td>",
                   escape_html(words_of(subject)),
                   escape_html(subject.title),
                   escape_html(subject.id));
    for (const size_t at : board.order) {
      const evaluate::Judgement& judgement = evaluation.tools[at].cells[s].judgement;
      html += format("<td data-n=\"{}\"><a class=\"{}{}\" href=\"#{}\">{}</a></td>",
                     static_cast<int>(judgement.verdict),
                     class_of(judgement.verdict),
                     judgement.alarms.empty() ? "" : " alarm",
                     panel_id(at, s),
                     name_of(judgement.verdict));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div></section>\n";
}

std::string finding_item(const JudgedFinding& judged, bool on_buggy)
{
  const evaluate::ToolFinding& finding = judged.finding;
  std::string html = format("<li><code>{}{}</code> <b>{}</b> {}",
                            escape_html(finding.file),
                            finding.line > 0 ? format(":{}", finding.line) : "",
                            escape_html(finding.rule),
                            escape_html(finding.message));
  if (!judged.type.empty()) {
    html += format("<br><span class=\"note\">{}</span>", escape_html(judged.type));
  }
  if (on_buggy) {
    html += judged.stays ? "<br><span class=\"miss\">also on the fixed version</span>"
            : judged.right_line && judged.right_type
                ? "<br><span class=\"hit\">right type, right place</span>"
            : judged.right_line ? "<br><span class=\"hit\">right place</span>"
            : judged.right_type ? "<br><span class=\"hit\">right type</span>"
                                : "<br><span class=\"miss\">neither type nor place</span>";
  }
  return html + "</li>\n";
}

std::string
finding_list(std::string_view title, const std::vector<JudgedFinding>& findings, bool on_buggy)
{
  if (findings.empty()) {
    return "";
  }
  std::string html = format("<h4>{}</h4><ol>\n", title);
  for (size_t i = 0; i < std::min(findings.size(), k_most_shown); ++i) {
    html += finding_item(findings[i], on_buggy);
  }
  html += "</ol>\n";
  if (findings.size() > k_most_shown) {
    html += format("<p class=\"note\">and {} more</p>\n", findings.size() - k_most_shown);
  }
  return html;
}

std::string log_of(const Attempt& attempt, const ToolRun& run, std::string_view version)
{
  if (attempt.not_applicable || attempt.not_installed) {
    return "";
  }
  std::string html = format("<h4>{} on the {} version: {:.2f} s, {} MiB{}</h4>\n",
                            escape_html(attempt.tool->name),
                            version,
                            run.seconds,
                            run.memory_kib / 1024,
                            run.reason.empty() ? "" : ", " + escape_html(run.reason));
  if (!trim(run.log).empty()) {
    html += format("<pre>{}</pre>\n", escape_html(run.log));
  }
  if (run.unmatched > 0) {
    html += format("<details><summary>What it printed: {} gave a finding, {} did not</summary>"
                   "<pre>{}</pre></details>\n",
                   count_of(run.matched, "line"),
                   run.unmatched,
                   escape_html(run.output));
  }
  return html;
}

std::string panel(const ToolResult& tool, const Subject& subject, const Cell& cell, std::string id)
{
  const evaluate::Judgement& judgement = cell.judgement;
  std::string html =
      format("<article class=\"panel\" id=\"{}\"><a class=\"close\" href=\"#matrix\" "
             "aria-label=\"Close\">✕</a><h3>{} on {}</h3><p><span class=\"tag\">{}"
             "</span> {}</p><p class=\"note\">{}</p>\n",
             id,
             escape_html(tool.tool.name),
             escape_html(subject.id),
             name_of(judgement.verdict),
             escape_html(reason_for(judgement, subject)),
             escape_html(subject.title));
  html += finding_list("Findings on the buggy version", judgement.findings, true);
  html += finding_list("False alarms on the fixed version", judgement.alarms, false);
  std::string answers;
  for (const std::string& type : subject.types) {
    answers += format("<li>{}</li>", escape_html(type));
  }
  for (const catalog::Location& place : subject.places) {
    for (const int line : place.lines) {
      answers += format("<li><code>{}:{}</code></li>", escape_html(place.file), line);
    }
  }
  html += format("<details><summary>Right answers</summary><div><ul>{}</ul></div></details>\n",
                 answers);
  for (const Attempt& attempt : cell.attempts) {
    html += log_of(attempt, attempt.buggy, "buggy") + log_of(attempt, attempt.fixed, "fixed");
  }
  return html + "</article>\n";
}

std::string how_it_was_made(const Evaluation& evaluation, const EvaluationPage& page)
{
  std::string html = "<section id=\"made\"><h2>How it was made</h2><dl class=\"plain\">\n";
  html += format("<dt>To repeat it</dt><dd><code>{}</code></dd>\n", escape_html(page.command));
  for (const auto& [name, version] : page.packages) {
    html += format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(version));
  }
  for (const ToolResult& tool : evaluation.tools) {
    html +=
        format("<dt>{}</dt><dd>{}. <code>{}</code> {}</dd>\n",
               escape_html(tool.tool.name),
               escape_html(tool.tool.summary),
               escape_html(tool.hash),
               escape_html(tool.not_installed.empty() ? tool.version
                                                      : "Not installed: " + tool.not_installed));
  }
  return html + format("<dt>Runs</dt><dd>{}, {} of them new</dd></dl></section>\n",
                       evaluation.runs,
                       evaluation.fresh_runs);
}

} // namespace

std::string
evaluation_html(const Evaluation& evaluation, const Scoreboard& board, const EvaluationPage& page)
{
  std::string html = head() + header(evaluation, board, page);
  html += "<nav aria-label=\"Sections\"><ul><li><a href=\"#board\">Leaderboard</a></li><li><a "
          "href=\"#matrix\">Matrix</a></li><li><a href=\"#groups\">Groups</a></li><li><a "
          "href=\"#pairs\">Comparison</a></li><li><a href=\"#made\">How it was made</a></li></ul>"
          "</nav>\n<main>\n";
  html += leaderboard(evaluation, board) + matrix(evaluation, board) + groups(evaluation, board) +
          pairs(evaluation, board) + how_it_was_made(evaluation, page) + "</main>\n";
  for (size_t t = 0; t < evaluation.tools.size(); ++t) {
    for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
      html += panel(evaluation.tools[t],
                    evaluation.subjects[s],
                    evaluation.tools[t].cells[s],
                    panel_id(t, s));
    }
  }
  return html +
         "<footer><p>Made by Faultline from stored runs. The page loads nothing.</p></footer>\n"
         "<script>" +
         text_for_script(table_script()) + "</script>\n<script>" +
         text_for_script(evaluation_page_script()) + "</script>\n</body>\n</html>\n";
}

} // namespace faultline::report
