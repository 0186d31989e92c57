#include "base/format.hpp"
#include "rules/reporter.hpp"

#include <gtest/gtest.h>

namespace faultline::rules {

namespace {

constexpr const char* k_text = "alpha = 1\nbeta = 2\nγ = beta\n";
const int g_cause = 0;
const int g_other_cause = 0;

Rule rule_of(std::string_view code, void (*check)(const Program&, Reporter&), int rank = 0)
{
  return {.code = code,
          .name = "a-rule",
          .summary = {},
          .applies = "any",
          .type = "model/model-type-and-properties/wrong-weights-initialisation",
          .fix_pattern = "neural-connection",
          .rank = rank,
          .check = check};
}

std::vector<source::Finding> report(std::initializer_list<Rule> rules,
                                    const std::string& text = k_text,
                                    const std::string& path = "train.py")
{
  const auto program = program::analyse(path, text);
  std::vector<const Rule*> pointers;
  for (const Rule& rule : rules) {
    pointers.push_back(&rule);
  }
  return check(*program, pointers);
}

std::string lines(const std::vector<source::Finding>& findings)
{
  std::string text;
  for (const source::Finding& f : findings) {
    text += format("{} {}:{}-{}:{} {}\n",
                   f.rule,
                   f.place.line,
                   f.place.column,
                   f.place.end_line,
                   f.place.end_column,
                   f.message);
  }
  return text;
}

} // namespace

TEST(Reporter, GivesPlacesAsPeopleCount)
{
  const Rule rule = rule_of("DL101", [](const Program&, Reporter& r) {
    r.add({0, 10, 14}, "a name");
    r.add({0, 24, 28}, "behind a wide letter");
    r.add({0, 0, 18}, "two lines");
  });
  EXPECT_EQ(lines(report({rule})),
            "DL101 1:1-2:9 two lines\n"
            "DL101 2:1-2:5 a name\n"
            "DL101 3:5-3:9 behind a wide letter\n");
}

TEST(Reporter, FillsInWhatTheRuleSaysOfItself)
{
  const Rule rule = rule_of("DL101", [](const Program&, Reporter& r) {
    r.add({0, 0, 5}, "seen")
        .label("here")
        .note({0, 10, 14}, "made here")
        .note("a remark")
        .help("do this")
        .replace({0, 0, 5}, "omega")
        .insert({0, 10, 14}, "x = 0\n")
        .unsafe("rename it");
  });
  const std::vector<source::Finding> findings = report({rule});
  ASSERT_EQ(findings.size(), 1U);
  const source::Finding& f = findings.front();
  EXPECT_EQ(f.type, "model/model-type-and-properties/wrong-weights-initialisation");
  EXPECT_EQ(f.fix_pattern, "neural-connection");
  EXPECT_EQ(f.severity, Severity::warning);
  EXPECT_EQ(f.label, "here");
  EXPECT_EQ(f.help, "do this");
  ASSERT_EQ(f.notes.size(), 2U);
  EXPECT_EQ(f.notes[0].text, "made here");
  EXPECT_EQ(f.notes[0].place, (source::Place{"train.py", 2, 1, 2, 5}));
  EXPECT_EQ(f.notes[1].place, std::nullopt);
  ASSERT_TRUE(f.fix);
  EXPECT_EQ(f.fix->description, "rename it");
  EXPECT_FALSE(f.fix->safe);
  EXPECT_EQ(f.fix->edits.at("train.py"),
            (std::vector<source::Edit>{{0, 5, "omega"}, {10, 10, "x = 0\n"}}));
}

TEST(Reporter, OneRuleSpeaksOnceAboutOnePlace)
{
  const Rule rule = rule_of("DL101", [](const Program&, Reporter& r) {
    r.add({0, 0, 5}, "the first time the function ran");
    r.add({0, 0, 5}, "the second time");
  });
  EXPECT_EQ(lines(report({rule})), "DL101 1:1-1:6 the first time the function ran\n");
}

TEST(Reporter, OfOneCauseTheRuleWithTheHighestRankSpeaks)
{
  const Rule general = rule_of("DL101", [](const Program&, Reporter& r) {
    r.add({0, 0, 5}, "general").cause(&g_cause);
    r.add({0, 0, 5}, "something else").cause(&g_other_cause);
  });
  const Rule special = rule_of(
      "DL102",
      [](const Program&, Reporter& r) {
        r.add({0, 10, 14}, "special").cause(&g_cause);
      },
      5);
  EXPECT_EQ(lines(report({general, special})),
            "DL101 1:1-1:6 something else\n"
            "DL102 2:1-2:5 special\n");
}

TEST(Reporter, WithoutACauseRulesDoNotSilenceEachOther)
{
  const auto speak = [](const Program&, Reporter& r) { r.add({0, 0, 5}, "seen"); };
  EXPECT_EQ(lines(report({rule_of("DL102", speak), rule_of("DL101", speak)})),
            "DL101 1:1-1:6 seen\nDL102 1:1-1:6 seen\n");
}

TEST(Reporter, CommentsAreHonoured)
{
  const Rule rule = rule_of("DL101", [](const Program&, Reporter& r) {
    r.add({0, 0, 1}, "first");
    r.add({0, 2, 3}, "second");
  });
  EXPECT_EQ(lines(report({rule}, "a\nb  # faultline: ignore DL101\n")), "DL101 1:1-1:2 first\n");
}

TEST(Reporter, InTestFilesEverythingIsOneStepMilder)
{
  const auto severity = [](const std::string& path, const std::string& text) {
    const Rule rule = rule_of("DL101", [](const Program&, Reporter& r) {
      r.add({0, 0, 1}, "seen").severity(Severity::error);
    });
    return report({rule}, text, path).front().severity;
  };
  EXPECT_EQ(severity("train.py", "import pytest\n"), Severity::error);
  EXPECT_EQ(severity("test_train.py", "x = 1\n"), Severity::error);
  EXPECT_EQ(severity("tests/test_train.py", "import pytest\n"), Severity::warning);
  EXPECT_EQ(severity("train_test.py", "import unittest\n"), Severity::warning);
}

} // namespace faultline::rules
