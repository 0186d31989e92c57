#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "report/evaluation_report.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

#include <algorithm>

namespace faultline::serve {

namespace {

const std::vector<std::string> k_splits = {"dev", "test"};

report::EvaluationPage page_of(const Context& context, const Board& board)
{
  report::EvaluationPage page;
  page.date = utc_now().substr(0, 10);
  page.version = context.version;
  page.packages = context.environments->packages();
  page.subjects = board.subjects;
  return page;
}

// Faults on which the tools were right, in four lists.
Json compared(const evaluate::Evaluation& evaluation, const evaluate::Comparison& pair)
{
  std::array<std::vector<std::string>, 4> ids;
  for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
    const evaluate::Verdict a = evaluation.tools[pair.first].cells[s].judgement.verdict;
    const evaluate::Verdict b = evaluation.tools[pair.second].cells[s].judgement.verdict;
    if (is_scored(a) && is_scored(b)) {
      ids[is_right(a) ? (is_right(b) ? 0 : 1) : (is_right(b) ? 2 : 3)].push_back(
          evaluation.subjects[s].id);
    }
  }
  const auto list = [&ids](size_t i) { return Json{{"count", ids[i].size()}, {"ids", ids[i]}}; };
  Json json;
  json["a"] = evaluation.tools[pair.first].tool.name;
  json["b"] = evaluation.tools[pair.second].tool.name;
  json["both"] = list(0);
  json["only_a"] = list(1);
  json["only_b"] = list(2);
  json["neither"] = list(3);
  json["mcnemar"] = {{"test", "exact binomial, two-sided"}, {"p", pair.p}};
  return json;
}

std::optional<size_t> tool_index(const evaluate::Evaluation& evaluation, const std::string& name)
{
  const auto found = std::ranges::find(
      evaluation.tools, name, [](const evaluate::ToolResult& result) { return result.tool.name; });
  return found == evaluation.tools.end()
             ? std::nullopt
             : std::optional(static_cast<size_t>(found - evaluation.tools.begin()));
}

} // namespace

Reply get_scoreboard(Context& context, const Request& request)
{
  Parameters parameters(request);
  const std::string split = parameters.one_of("split", k_splits, "");
  if (const Result<void> fine = parameters.finish(); !fine) {
    return error_reply(fine.error());
  }
  return text_reply(
      context.knowledge->evaluation_answer("scoreboard " + split, [&]() -> Result<std::string> {
        FL_TRY(const std::shared_ptr<const Board> board,
               context.knowledge->board(split, Freshness::exact));
        return print_json_line(
            report::evaluation_json(board->evaluation, board->scores, page_of(context, *board)));
      }));
}

Reply compare_tools(Context& context, const Request& request)
{
  Parameters parameters(request);
  const std::string split = parameters.one_of("split", k_splits, "");
  const std::string a = parameters.text("a");
  const std::string b = parameters.text("b");
  if (a.empty() || b.empty()) {
    parameters.refuse("`a` and `b` name the tools to compare");
  }
  if (const Result<void> fine = parameters.finish(); !fine) {
    return error_reply(fine.error());
  }
  const Result<std::shared_ptr<const Board>> board = context.knowledge->board(split);
  if (!board) {
    return error_reply(board.error());
  }
  const evaluate::Evaluation& evaluation = (*board)->evaluation;
  const std::optional<size_t> first = tool_index(evaluation, a);
  const std::optional<size_t> second = tool_index(evaluation, b);
  if (!first || !second) {
    std::vector<std::string> names;
    for (const evaluate::ToolResult& result : evaluation.tools) {
      names.push_back(result.tool.name);
    }
    const std::string& wrong = first ? b : a;
    return error_reply(404, format("there is no tool `{}`{}", wrong, did_you_mean(wrong, names)));
  }
  return json_reply(compared(evaluation, evaluate::compare(evaluation, *first, *second)));
}

} // namespace faultline::serve
