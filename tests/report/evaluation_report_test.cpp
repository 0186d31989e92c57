#include "report/evaluation_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::report {

using evaluate::Evaluation;
using evaluate::Judgement;
using evaluate::Verdict;
using testing::HasSubstr;
using testing::Not;

class EvaluationReportTest : public testing::Test {
protected:
  EvaluationReportTest()
  {
    for (const char* id : {"pytorch-a", "pytorch-b"}) {
      evaluate::Subject subject;
      subject.id = id;
      subject.title = "Title of <b>" + std::string(id);
      subject.types = {"api/deprecated-api"};
      subject.places = {{"train.py", {3}}};
      subject.groups["framework"] = {"pytorch"};
      m_evaluation.subjects.push_back(subject);
    }
    m_tool.name = "good";
    m_tool.summary = "A tool";
    evaluate::JudgedFinding found;
    found.tool = "good";
    found.finding = {"R1", "train.py", 3, "</script><script>alert(1)</script>", "", "error"};
    found.severity = source::Severity::error;
    found.type = "api/deprecated-api";
    found.right_type = found.right_category = found.right_line = true;
    found.right_statement = found.right_layer = true;
    found.distance = 0;
    Judgement right;
    right.verdict = Verdict::both;
    right.findings = {found};
    right.fixed_ran = true;
    right.seconds = 0.5;
    right.memory_kib = 20 * 1024;
    Judgement silent;
    silent.verdict = Verdict::said_nothing;
    silent.fixed_ran = true;
    silent.alarms = {found};
    evaluate::Attempt attempt;
    attempt.tool = &m_tool;
    attempt.buggy.status = attempt.fixed.status = evaluate::RunStatus::fine;
    attempt.buggy.log = "a log with <img src=x onerror=alert(2)>";
    m_evaluation.tools.push_back(
        {m_tool, "good 1.0", "0123456789ab", "", {{right, {attempt}}, {silent, {attempt}}}});
    Judgement absent;
    absent.verdict = Verdict::not_installed;
    evaluate::Tool other;
    other.name = "absent";
    m_evaluation.tools.push_back({other, "", "", "x is missing", {{absent, {}}, {absent, {}}}});
    m_evaluation.runs = 4;
    m_board = evaluate::score(m_evaluation);
    m_page.command = "faultline evaluate --tool good";
    m_page.date = "2026-11-16";
    m_page.version = "0.1.0";
    m_page.subjects = "the faultload";
    m_page.packages = {{"torch", "1.13.1"}};
  }

  evaluate::Tool m_tool;
  Evaluation m_evaluation;
  evaluate::Scoreboard m_board;
  EvaluationPage m_page;
};

TEST_F(EvaluationReportTest, TextHasTheLeaderboard)
{
  const std::string text = evaluation_text(m_evaluation, m_board, m_page, Painter(false));
  EXPECT_THAT(text, HasSubstr("2 tools on 2 programs of the faultload, buggy and fixed."));
  EXPECT_THAT(text, HasSubstr("50.0 % (9–91)"));
  EXPECT_THAT(text, HasSubstr("absent is not installed: x is missing."));
  EXPECT_THAT(text, HasSubstr("framework"));
}

TEST_F(EvaluationReportTest, SaysWhyAToolGaveNoAnswer)
{
  evaluate::Attempt attempt;
  attempt.tool = &m_tool;
  attempt.buggy.status = evaluate::RunStatus::crashed;
  attempt.buggy.reason = "exit status 127";
  attempt.buggy.log = "starting\nsh: \x1b[31m<b>nosuchtool: not found\n\n";
  Judgement crashed;
  crashed.verdict = Verdict::crashed;
  crashed.reason = "exit status 127";
  Judgement late;
  late.verdict = Verdict::timed_out;
  late.reason = "timed out";
  evaluate::Attempt slow = attempt;
  slow.buggy.status = evaluate::RunStatus::timed_out;
  slow.buggy.reason = "timed out";
  m_evaluation.tools.push_back({m_tool, "", "", "", {{crashed, {attempt}}, {late, {slow}}}});
  m_evaluation.tools.back().tool.name = "b5";
  EXPECT_THAT(failures_of(m_evaluation.tools.back(), m_evaluation.subjects),
              testing::ElementsAre("b5 crashed on 1 of 2 programs; the first is pytorch-a: exit "
                                   "status 127: sh: \uFFFD[31m<b>nosuchtool: not found",
                                   "b5 timed out on 1 of 2 programs; the first is pytorch-b"));
  EXPECT_TRUE(failures_of(m_evaluation.tools[0], m_evaluation.subjects).empty());
  EXPECT_TRUE(failures_of(m_evaluation.tools[1], m_evaluation.subjects).empty());
  m_board = evaluate::score(m_evaluation);
  EXPECT_THAT(evaluation_text(m_evaluation, m_board, m_page, Painter(false)),
              HasSubstr("\nb5 timed out on 1 of 2 programs; the first is pytorch-b\n"));
  EXPECT_THAT(evaluation_html(m_evaluation, m_board, m_page),
              HasSubstr("sh: \uFFFD[31m&lt;b&gt;nosuchtool: not found</p>"));
}

TEST_F(EvaluationReportTest, AReasonThatExplainsItselfStandsAlone)
{
  evaluate::Attempt attempt;
  attempt.tool = &m_tool;
  attempt.buggy.status = evaluate::RunStatus::crashed;
  attempt.buggy.reason = "not JSON";
  attempt.buggy.log = "noise";
  Judgement crashed;
  crashed.verdict = Verdict::crashed;
  crashed.reason = "not JSON";
  m_evaluation.tools[0].cells[0] = {crashed, {attempt}};
  EXPECT_THAT(
      failures_of(m_evaluation.tools[0], m_evaluation.subjects),
      testing::ElementsAre("good crashed on 1 of 2 programs; the first is pytorch-a: not JSON"));
}

TEST_F(EvaluationReportTest, JsonHasTheAgreedKeys)
{
  const Json json = evaluation_json(m_evaluation, m_board, m_page);
  ASSERT_EQ(json["tools"].size(), 2U);
  const Json& tool = json["tools"][0];
  EXPECT_EQ(tool["name"], "good");
  EXPECT_EQ(tool["recall"], 0.5);
  EXPECT_EQ(tool["precision"], 0.5);
  EXPECT_EQ(tool["false_alarm_rate"], 0.5);
  EXPECT_EQ(tool["localization"]["top1"], 0.5);
  EXPECT_EQ(tool["localization"]["top3"], 0.5);
  EXPECT_EQ(tool["localization"]["top5"], 0.5);
  EXPECT_EQ(tool["seconds"], 0.5);
  EXPECT_EQ(tool["faults"][0]["id"], "pytorch-a");
  EXPECT_EQ(tool["faults"][0]["verdict"], "both");
  EXPECT_EQ(tool["faults"][0]["seconds"], 0.5);
  EXPECT_EQ(tool["faults"][0]["memory_mib"], 20);
  EXPECT_EQ(tool["faults"][0]["findings"][0]["line"], 3);
  EXPECT_EQ(tool["faults"][1]["false_alarms"], 1);
  EXPECT_EQ(tool["groups"][0]["name"], "pytorch");
  EXPECT_TRUE(json["tools"][1]["recall"].is_null());
  EXPECT_EQ(json["tools"][1]["installed"], false);
}

TEST_F(EvaluationReportTest, CsvHasALineForEachToolAndFault)
{
  EXPECT_EQ(
      evaluation_csv(m_evaluation),
      "tool,fault,verdict,findings,false_alarms,seconds,memory_mib,rule,file,line,type,"
      "distance,reason,why,hash\n"
      "good,pytorch-a,both,1,0,0.500,20,R1,train.py,3,api/deprecated-api,0,,"
      "named the cause and the place,0123456789ab\n"
      "good,pytorch-b,said nothing,0,1,0.000,0,,,,,,,said nothing about the buggy version that "
      "counts,0123456789ab\n"
      "absent,pytorch-a,not installed,0,0,0.000,0,,,,,,,not installed,\n"
      "absent,pytorch-b,not installed,0,0,0.000,0,,,,,,,not installed,\n");
}

TEST_F(EvaluationReportTest, EveryReportNamesTheHashOfTheDetector)
{
  const std::string hash = "0123456789ab";
  EXPECT_THAT(evaluation_text(m_evaluation, m_board, m_page, Painter(false)), HasSubstr(hash));
  EXPECT_EQ(evaluation_json(m_evaluation, m_board, m_page)["tools"][0]["hash"], hash);
  EXPECT_THAT(evaluation_html(m_evaluation, m_board, m_page), HasSubstr(hash));
  EXPECT_THAT(evaluation_latex(m_evaluation, m_board, m_page), HasSubstr(hash));
  EXPECT_THAT(evaluation_csv(m_evaluation), HasSubstr(hash));
}

TEST_F(EvaluationReportTest, LatexIsTwoTablesInWhichNamesMeanNothing)
{
  m_evaluation.tools[0].tool.name = "50%_{good}&\\input";
  evaluate::Comparison pair;
  pair.second = 1;
  pair.p = 0.0004;
  pair.p_adjusted = 0.0312;
  m_board.pairs = {pair};
  const std::string latex = evaluation_latex(m_evaluation, m_board, m_page);
  EXPECT_THAT(
      latex, HasSubstr("50\\%\\_\\{good\\}\\&\\textbackslash{}input & \\texttt{0123456789ab} & 2"));
  EXPECT_THAT(latex, HasSubstr("$<$ 0.001 & 0.031 \\\\\n"));
  EXPECT_THAT(latex, HasSubstr("% faultline evaluate --tool good\n"));
  const auto count = [&latex](std::string_view word) {
    size_t found = 0;
    for (size_t at = latex.find(word); at != std::string::npos; at = latex.find(word, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("\\begin{tabular}"), 2U);
  EXPECT_EQ(count("\\end{table}"), 2U);
}

TEST_F(EvaluationReportTest, SaysHowMuchWasNotUnderstoodAndShowsIt)
{
  m_tool.output.format = evaluate::OutputFormat::text;
  m_tool.output.patterns = {"^(?<rule>bad)$"};
  evaluate::ToolResult& tool = m_evaluation.tools[0];
  tool.tool = m_tool;
  EXPECT_TRUE(unread_of(tool, m_evaluation.subjects).empty());
  evaluate::ToolRun& run = tool.cells[1].attempts[0].buggy;
  run.output = "odd \x1b[31m line\nanother\n";
  run.unmatched = 2;
  const std::vector<std::string> expected = {
      "good: 0 lines of what it printed matched a pattern, 2 did not; on 1 of 1 program nothing "
      "did: "
      "`faultline evaluate pytorch-b --tool good --verbose` shows it"};
  EXPECT_EQ(unread_of(tool, m_evaluation.subjects), expected);
  const std::string details = evaluation_details(m_evaluation, Painter(false));
  EXPECT_THAT(details, HasSubstr("good on pytorch-b: said nothing: said nothing about"));
  EXPECT_THAT(details, HasSubstr("   · | another\n"));
  EXPECT_EQ(details.find('\x1b'), std::string::npos);
  run.output = "bad\n";
  run.matched = 1;
  EXPECT_THAT(evaluation_details(m_evaluation, Painter(false)), HasSubstr("   1 | bad\n"));
  EXPECT_THAT(evaluation_html(m_evaluation, m_board, m_page),
              HasSubstr("1 line gave a finding, 2 did not"));
}

TEST_F(EvaluationReportTest, ThePageHoldsEveryCellAndNothingOfATool)
{
  const std::string html = evaluation_html(m_evaluation, m_board, m_page);
  EXPECT_THAT(html, HasSubstr("href=\"#c-0-0\""));
  EXPECT_THAT(html, HasSubstr("<article class=\"panel\" id=\"c-0-0\">"));
  EXPECT_THAT(html, HasSubstr("<article class=\"panel\" id=\"c-1-1\">"));
  EXPECT_THAT(html, HasSubstr("class=\"v-said-nothing alarm\""));
  EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("Title of <b>")));
  for (const char* remote : {"src=\"http", "href=\"http", "@import", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(remote)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST_F(EvaluationReportTest, NothingToShowIsNoReasonToFail)
{
  const Evaluation nothing;
  const evaluate::Scoreboard board = evaluate::score(nothing);
  EXPECT_THAT(evaluation_html(nothing, board, m_page), HasSubstr("0 tools on 0 programs"));
  EXPECT_EQ(evaluation_json(nothing, board, m_page)["tools"].size(), 0U);
}

} // namespace faultline::report
