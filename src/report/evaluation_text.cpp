#include "base/format.hpp"
#include "base/text.hpp"
#include "report/evaluation_report.hpp"
#include "report/excerpt.hpp"
#include "report/text_table.hpp"

namespace faultline::report {

using evaluate::Evaluation;
using evaluate::GroupScores;
using evaluate::Scoreboard;
using evaluate::Scores;
using evaluate::Share;
using evaluate::ToolResult;
using evaluate::Verdict;

std::string print_share(const Share& share)
{
  return share.of == 0 ? "–" : format("{:.1f} %", 100 * *share.value());
}

std::string print_with_interval(const Share& share)
{
  if (share.of == 0) {
    return "–";
  }
  const stats::Interval interval = share.interval();
  return format(
      "{:.1f} % ({:.0f}–{:.0f})", 100 * *share.value(), 100 * interval.low, 100 * interval.high);
}

namespace {

std::string print_distance(const Scores& scores)
{
  const std::optional<double> distance = scores.median_distance();
  return distance ? format("{:g}", *distance) : "–";
}

std::string leaderboard(const Evaluation& evaluation, const Scoreboard& board, const Painter& paint)
{
  TextTable table({{"TOOL", Align::left, Colour::bold},
                   {"FAULTS", Align::right},
                   {"RIGHT", Align::right},
                   {"RECALL", Align::right},
                   {"OF ALL", Align::right},
                   {"PRECISION", Align::right},
                   {"FALSE ALARMS", Align::right},
                   {"DETECTED", Align::right},
                   {"SECONDS", Align::right}});
  for (const size_t at : board.order) {
    const Scores& scores = board.tools[at].all;
    table.add({evaluation.tools[at].tool.name,
               format("{}", scores.recall.of),
               format("{}", scores.recall.hits),
               print_with_interval(scores.recall),
               print_share(scores.recall_of_all),
               print_with_interval(scores.precision),
               print_with_interval(scores.false_alarms),
               print_share(scores.detected),
               format("{:.1f}", scores.seconds)});
  }
  return table.print(paint);
}

std::string
localization(const Evaluation& evaluation, const Scoreboard& board, const Painter& paint)
{
  TextTable table({{"TOOL", Align::left, Colour::bold},
                   {"LINE TOP-1", Align::right},
                   {"TOP-3", Align::right},
                   {"TOP-5", Align::right},
                   {"STATEMENT TOP-1", Align::right},
                   {"TOP-5", Align::right},
                   {"LAYER TOP-1", Align::right},
                   {"TOP-5", Align::right},
                   {"DISTANCE", Align::right},
                   {"TYPE", Align::right},
                   {"CATEGORY", Align::right}});
  for (const size_t at : board.order) {
    const Scores& scores = board.tools[at].all;
    if (scores.recall.of == 0) {
      continue;
    }
    table.add({evaluation.tools[at].tool.name,
               print_share(scores.line.top1),
               print_share(scores.line.top3),
               print_share(scores.line.top5),
               print_share(scores.statement.top1),
               print_share(scores.statement.top5),
               print_share(scores.layer.top1),
               print_share(scores.layer.top5),
               print_distance(scores),
               print_share(scores.type),
               print_share(scores.category)});
  }
  return table.empty() ? "" : table.print(paint);
}

std::string verdicts(const Evaluation& evaluation, const Scoreboard& board, const Painter& paint)
{
  std::vector<Verdict> seen;
  for (const Verdict verdict : evaluate::k_verdicts) {
    for (const evaluate::ToolScores& tool : board.tools) {
      if (tool.all.verdicts.contains(verdict)) {
        seen.push_back(verdict);
        break;
      }
    }
  }
  std::vector<Column> columns = {{"TOOL", Align::left, Colour::bold}};
  for (const Verdict verdict : seen) {
    columns.push_back({std::string(name_of(verdict)), Align::right});
  }
  TextTable table(std::move(columns));
  for (const size_t at : board.order) {
    std::vector<std::string> row = {evaluation.tools[at].tool.name};
    for (const Verdict verdict : seen) {
      const auto& counts = board.tools[at].all.verdicts;
      const auto found = counts.find(verdict);
      row.push_back(found == counts.end() ? "" : format("{}", found->second));
    }
    table.add(std::move(row));
  }
  return table.print(paint);
}

// "18/26 69.2 %" for each tool that was run.
std::string groups(const Evaluation& evaluation, const Scoreboard& board, const Painter& paint)
{
  std::vector<size_t> shown;
  std::vector<Column> columns = {{""}, {"", Align::left, Colour::bold}};
  for (const size_t at : board.order) {
    if (board.tools[at].all.recall.of > 0) {
      shown.push_back(at);
      columns.push_back({evaluation.tools[at].tool.name, Align::right});
    }
  }
  if (shown.empty()) {
    return "";
  }
  TextTable table(std::move(columns));
  std::string before;
  const std::vector<GroupScores>& first = board.tools[shown.front()].groups;
  for (size_t i = 0; i < first.size(); ++i) {
    std::vector<std::string> row = {first[i].by == before ? "" : replace_all(first[i].by, "_", " "),
                                    first[i].name};
    before = first[i].by;
    for (const size_t at : shown) {
      const Share& recall = board.tools[at].groups[i].scores.recall;
      row.push_back(
          recall.of == 0 ? "–" : format("{}/{}  {}", recall.hits, recall.of, print_share(recall)));
    }
    table.add(std::move(row));
  }
  return table.print(paint);
}

// What each tool was: results of another hash are of another detector.
std::string identities(const Evaluation& evaluation, const Painter& paint)
{
  TextTable table({{"TOOL", Align::left, Colour::bold}, {"HASH"}, {"VERSION"}});
  for (const ToolResult& tool : evaluation.tools) {
    if (!tool.hash.empty()) {
      table.add({tool.tool.name, tool.hash, printable(tool.version)});
    }
  }
  return table.empty() ? "" : table.print(paint);
}

std::string pairs(const Evaluation& evaluation, const Scoreboard& board, const Painter& paint)
{
  TextTable table({{"FIRST", Align::left, Colour::bold},
                   {"SECOND", Align::left, Colour::bold},
                   {"BOTH RIGHT", Align::right},
                   {"ONLY FIRST", Align::right},
                   {"ONLY SECOND", Align::right},
                   {"NEITHER", Align::right},
                   {"P", Align::right},
                   {"P (HOLM)", Align::right}});
  for (const evaluate::Comparison& pair : board.pairs) {
    table.add({evaluation.tools[pair.first].tool.name,
               evaluation.tools[pair.second].tool.name,
               format("{}", pair.both),
               format("{}", pair.only_first),
               format("{}", pair.only_second),
               format("{}", pair.neither),
               print_p(pair.p),
               print_p(pair.p_adjusted)});
  }
  return table.empty() ? "" : table.print(paint);
}

} // namespace

std::string evaluation_text(const Evaluation& evaluation,
                            const Scoreboard& board,
                            const EvaluationPage& page,
                            const Painter& paint)
{
  const auto titled = [&paint](std::string_view title, const std::string& body) {
    return body.empty() ? std::string() : paint(Colour::bold, title) + "\n" + body + "\n";
  };
  std::string text = format("{} on {} of {}, buggy and fixed.\n\n",
                            count_of(evaluation.tools.size(), "tool"),
                            count_of(evaluation.subjects.size(), "program"),
                            page.subjects);
  text += leaderboard(evaluation, board, paint) + "\n";
  text += titled("Where: one of the first findings is at the right place",
                 localization(evaluation, board, paint));
  text += titled("How each fault ended", verdicts(evaluation, board, paint));
  text += titled("Recall by group", groups(evaluation, board, paint));
  text += titled("Do two tools differ? (McNemar, exact; adjusted by Holm)",
                 pairs(evaluation, board, paint));
  for (const ToolResult& tool : evaluation.tools) {
    if (!tool.not_installed.empty()) {
      text += format("{} is not installed: {}.\n", tool.tool.name, tool.not_installed);
    }
    for (const std::vector<std::string>& lines :
         {failures_of(tool, evaluation.subjects), unread_of(tool, evaluation.subjects)}) {
      for (const std::string& line : lines) {
        text += line + "\n";
      }
    }
  }
  return text + "\n" + identities(evaluation, paint);
}

} // namespace faultline::report
