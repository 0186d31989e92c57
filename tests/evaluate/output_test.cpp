#include "evaluate/output.hpp"
#include "evaluate/text_output.hpp"
#include "evaluate/tool_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::evaluate {

// As pylint 2.16.2 prints it.
constexpr std::string_view k_pylint = R"([
    {
        "type": "error",
        "module": "train",
        "obj": "Net.forward",
        "line": 12,
        "column": 15,
        "endLine": 12,
        "endColumn": 24,
        "path": "train.py",
        "symbol": "no-member",
        "message": "Instance of 'Net' has no 'fc9' member; maybe 'fc1'?",
        "message-id": "E1101"
    },
    {
        "type": "convention",
        "module": "train",
        "obj": "",
        "line": 1,
        "column": 0,
        "endLine": null,
        "endColumn": null,
        "path": "train.py",
        "symbol": "missing-module-docstring",
        "message": "Missing module docstring",
        "message-id": "C0114"
    }
]
)";

TEST(Output, ReadsPylint)
{
  JsonKeys keys;
  keys.rule = "symbol";
  keys.file = "path";
  keys.line = "line";
  keys.message = "message";
  keys.severity = "type";
  const ToolOutput output = read_json_output(k_pylint, keys);
  EXPECT_EQ(output.problem, "");
  ASSERT_EQ(output.findings.size(), 2U);
  EXPECT_EQ(output.findings[0],
            (ToolFinding{"no-member",
                         "train.py",
                         12,
                         "Instance of 'Net' has no 'fc9' member; maybe 'fc1'?",
                         "",
                         "error"}));
  EXPECT_EQ(output.findings[1].severity, "convention");
}

TEST(Output, ReadsPyflakes)
{
  const ToolOutput output =
      read_text_output("train.py:3:1: 'os' imported but unused\n"
                       "sub/data.py:14:9: undefined name 'xs'\n"
                       "something else\n",
                       {R"(^(?<file>[^:]+):(?<line>\d+):\d+:? (?<message>.+)$)"});
  ASSERT_EQ(output.findings.size(), 2U);
  EXPECT_EQ(
      output.findings[0],
      (ToolFinding{"'os' imported but unused", "train.py", 3, "'os' imported but unused", "", ""}));
  EXPECT_EQ(output.findings[1].file, "sub/data.py");
  EXPECT_EQ(output.findings[1].line, 14U);
}

TEST(Output, CountsTheLinesThatNoPatternMatches)
{
  const ToolOutput output = read_text_output("Checking train.py\ntrain.py:3: bad\n\n2 problems\n",
                                             {"^\\S+:(?<line>\\d+): (?<message>.+)$"});
  EXPECT_EQ(output.findings.size(), 1U);
  EXPECT_EQ(output.matched, 1U);
  EXPECT_EQ(output.unmatched, 2U); // a blank line is no line
  const ToolOutput json =
      read_json_output(R"([{"rule":"R"},"note"])", {.findings = "", .rule = "rule"});
  EXPECT_EQ(json.matched, 1U);
  EXPECT_EQ(json.unmatched, 1U);
}

TEST(Output, SaysWhichPatternMatchesALine)
{
  std::vector<ToolFinding> findings;
  const std::vector<ReadLine> lines =
      read_lines("one a\nneither\ntwo b", {"one (?<rule>.)", "two (?<rule>.)"}, findings);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].pattern, 0U);
  EXPECT_EQ(lines[1].pattern, std::nullopt);
  EXPECT_EQ(lines[1].text, "neither");
  EXPECT_EQ(lines[2].pattern, 1U);
  EXPECT_EQ(findings.size(), 2U);
}

TEST(Output, FindsSeveralThingsInALineOfText)
{
  const ToolOutput output = read_text_output("Layer 3 ==> missing softmax, lack of pooling\n",
                                             {"(?<rule>missing softmax|lack of pooling)"});
  ASSERT_EQ(output.findings.size(), 2U);
  EXPECT_EQ(output.findings[1].rule, "lack of pooling");
}

TEST(Output, ReadsNestedKeys)
{
  JsonKeys keys;
  keys.findings = "result.problems";
  keys.rule = "code";
  keys.file = "where.0.file";
  keys.line = "where.0.line";
  const ToolOutput output = read_json_output(
      R"({"result":{"problems":[{"code":7,"where":[{"file":"a.py","line":"12"}]},5,{}]}})", keys);
  ASSERT_EQ(output.findings.size(), 2U);
  EXPECT_EQ(output.findings[0].rule, "7");
  EXPECT_EQ(output.findings[0].file, "a.py");
  EXPECT_EQ(output.findings[0].line, 12U);
}

TEST(Output, ReadsSarif)
{
  const ToolOutput output = read_sarif_output(R"({
    "version": "2.1.0",
    "runs": [{
      "tool": {"driver": {"name": "x", "rules": [
        {"id": "A1", "defaultConfiguration": {"level": "error"}}, {"id": "A2"}]}},
      "artifacts": [{"location": {"uri": "data.py"}}],
      "results": [
        {"ruleIndex": 0, "message": {"text": "first"}, "locations": [{"physicalLocation": {
          "artifactLocation": {"uri": "file:///fault/program/my%20train.py"},
          "region": {"startLine": 9}}}]},
        {"ruleId": "A2", "level": "note", "message": {"text": "second"}, "locations": [
          {"physicalLocation": {"artifactLocation": {"index": 0}}}]},
        {"ruleId": "A2", "kind": "pass", "message": {"text": "fine"}},
        {"ruleId": "A2", "suppressions": [{"kind": "inSource"}], "message": {"text": "quiet"}}
      ]}]})");
  EXPECT_EQ(output.problem, "");
  ASSERT_EQ(output.findings.size(), 2U);
  EXPECT_EQ(output.findings[0],
            (ToolFinding{"A1", "file:///fault/program/my train.py", 9, "first", "", "error"}));
  EXPECT_EQ(output.findings[1], (ToolFinding{"A2", "data.py", 0, "second", "", "note"}));
}

TEST(Output, SaysWhyItCannotBeRead)
{
  EXPECT_EQ(read_sarif_output("").problem, "printed nothing where JSON was expected");
  EXPECT_EQ(read_sarif_output("{\"runs\": [").problem, "not JSON from byte 11 on");
  EXPECT_EQ(read_sarif_output("[]").problem, "JSON, but no SARIF: there is no list `runs`");
  EXPECT_EQ(read_json_output("{}", {}).problem, "JSON, but not a list");
  JsonKeys keys;
  keys.findings = "a.b";
  EXPECT_EQ(read_json_output("{\"a\": 3}", keys).problem, "JSON without a list at `a.b`");
}

TEST(Output, RefusesJsonThatIsTooDeepOrTooLarge)
{
  EXPECT_EQ(read_json_output(std::string(2'000'000, '['), {}).problem,
            "JSON nested more than 100 deep");
  std::string wide = "[";
  for (int i = 0; i < 2'000'001; ++i) {
    wide += "0,";
  }
  EXPECT_EQ(read_json_output(wide + "0]", {}).problem, "JSON of more than 2000000 values");
}

TEST(Output, KeepsABoundedAmount)
{
  std::string many = "[";
  for (int i = 0; i < 5000; ++i) {
    many += "{\"message\":\"" + std::string(3000, 'x') + "\"},";
  }
  JsonKeys keys;
  keys.message = "message";
  const ToolOutput output = read_json_output(many + "{}]", keys);
  EXPECT_EQ(output.findings.size(), k_most_findings);
  EXPECT_EQ(output.findings[0].message.size(), k_longest_message);
}

TEST(Output, APatternThatBacktracksWithoutEndOnlyFailsToMatch)
{
  const ToolOutput output = read_text_output(std::string(10'000, 'a') + "!\nfound: x\n",
                                             {"^(a+)+$|found: (?<message>.)"});
  ASSERT_EQ(output.findings.size(), 1U);
  EXPECT_EQ(output.findings[0].message, "x");
}

} // namespace faultline::evaluate
