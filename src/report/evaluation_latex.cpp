#include "base/format.hpp"
#include "base/text.hpp"
#include "report/evaluation_report.hpp"

namespace faultline::report {

using evaluate::Evaluation;
using evaluate::Scoreboard;
using evaluate::Scores;
using evaluate::Share;

namespace {

// Text in which nothing means anything to LaTeX. What is no plain character is left out.
std::string escaped(std::string_view text)
{
  std::string safe;
  for (const char c : text) {
    switch (c) {
    case '\\':
      safe += "\\textbackslash{}";
      break;
    case '~':
      safe += "\\textasciitilde{}";
      break;
    case '^':
      safe += "\\textasciicircum{}";
      break;
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
    case '{':
    case '}':
      safe += '\\';
      safe += c;
      break;
    default:
      safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return safe;
}

std::string percent(const Share& share)
{
  return share.of == 0 ? "--" : format("{:.1f}", 100 * *share.value());
}

std::string with_interval(const Share& share)
{
  if (share.of == 0) {
    return "--";
  }
  const stats::Interval interval = share.interval();
  return format(
      "{:.1f} [{:.0f}, {:.0f}]", 100 * *share.value(), 100 * interval.low, 100 * interval.high);
}

std::string p_value(double p)
{
  return p < 0.001 ? "$<$ 0.001" : format("{:.3f}", p);
}

std::string table(const std::string& columns,
                  const std::string& head,
                  const std::string& rows,
                  const std::string& caption,
                  std::string_view label)
{
  return format("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n"
                "\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n{}\\bottomrule\n"
                "\\end{{tabular}}\n\\end{{table}}\n",
                caption,
                label,
                columns,
                head,
                rows);
}

std::string
scores_table(const Evaluation& evaluation, const Scoreboard& board, const EvaluationPage& page)
{
  std::string rows;
  for (const size_t at : board.order) {
    const Scores& scores = board.tools[at].all;
    const evaluate::ToolResult& tool = evaluation.tools[at];
    rows += format("{} & \\texttt{{{}}} & {} & {} & {} & {} & {} & {} \\\\\n",
                   escaped(tool.tool.name),
                   tool.hash,
                   scores.recall.of,
                   with_interval(scores.recall),
                   with_interval(scores.precision),
                   with_interval(scores.false_alarms),
                   percent(scores.line.top1),
                   percent(scores.type));
  }
  return table("llrrrrrr",
               "Tool & Hash & Faults & Recall & Precision & False alarms & Line top-1 & Type",
               rows,
               format("Detectors on {} of {}, in percent, with Wilson's 95\\,\\% intervals",
                      count_of(evaluation.subjects.size(), "program"),
                      escaped(page.subjects)),
               "detectors");
}

std::string pairs_table(const Evaluation& evaluation, const Scoreboard& board)
{
  if (board.pairs.empty()) {
    return {};
  }
  std::string rows;
  for (const evaluate::Comparison& pair : board.pairs) {
    rows += format("{} & {} & {} & {} & {} & {} & {} & {} \\\\\n",
                   escaped(evaluation.tools[pair.first].tool.name),
                   escaped(evaluation.tools[pair.second].tool.name),
                   pair.both,
                   pair.only_first,
                   pair.only_second,
                   pair.neither,
                   p_value(pair.p),
                   p_value(pair.p_adjusted));
  }
  return "\n" + table("llrrrrrr",
                      "First & Second & Both & Only first & Only second & Neither & $p$ & "
                      "$p_{\\mathrm{Holm}}$",
                      rows,
                      "Exact McNemar tests of each pair of detectors on the faults that both apply "
                      "to, with Holm's adjustment for all pairs",
                      "pairs");
}

} // namespace

std::string
evaluation_latex(const Evaluation& evaluation, const Scoreboard& board, const EvaluationPage& page)
{
  // A line break in a name would end the comment.
  std::string head = format(
      "% {}\n% Faultline {}, {}", replace_all(page.command, "\n", " "), page.version, page.date);
  for (const auto& [name, version] : page.packages) {
    head += format(", {} {}", name, version);
  }
  return head + "\n% needs \\usepackage{booktabs}\n" + scores_table(evaluation, board, page) +
         pairs_table(evaluation, board);
}

} // namespace faultline::report
