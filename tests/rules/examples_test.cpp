// The documentation is the test: every python block of every rule's page is a program. Lines marked
// `# expect: CODE` or `# spurious: CODE (why)` have that finding, lines marked `# missed: CODE
// (why)` and all others have none of that rule.

#include "base/format.hpp"
#include "rules/page.hpp"
#include "rules/reporter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::rules {

namespace {

std::vector<source::Finding> findings_in(const std::string& text,
                                         std::span<const Rule* const> rules)
{
  return check(*program::analyse("example.py", text), rules);
}

std::string print(const std::vector<source::Finding>& findings)
{
  std::string text;
  for (const source::Finding& finding : findings) {
    text += format("  line {}:{}: {}[{}]: {}\n",
                   finding.place.line,
                   finding.place.column,
                   name_of(finding.severity),
                   finding.rule,
                   finding.message);
  }
  return text;
}

// What the interpreter did not understand, which is why a finding may be missing.
std::string print_gaps(const std::string& text)
{
  const auto program = program::analyse("example.py", text);
  std::string gaps;
  for (const program::Gap& gap : program->gaps()) {
    gaps += format("  not understood: {} at `{}`\n", gap.what, program->text(gap.span));
  }
  return gaps;
}

std::vector<std::string> expected_lines(const Block& block)
{
  std::vector<std::string> lines;
  for (const Marker& marker : markers_of(block)) {
    for (const std::string& code : marker.codes) {
      if (marker.kind != "missed") {
        lines.push_back(format("line {}: {}", marker.line, code));
      }
    }
  }
  return lines;
}

std::vector<std::string> found_lines(const std::vector<source::Finding>& findings)
{
  std::vector<std::string> lines;
  for (const source::Finding& finding : findings) {
    lines.push_back(format("line {}: {}", finding.place.line, finding.rule));
  }
  return lines;
}

} // namespace

class Examples : public testing::TestWithParam<Block> {};

INSTANTIATE_TEST_SUITE_P(Rules, Examples, testing::ValuesIn(all_blocks()), [](const auto& tested) {
  return format("{}_block_{}", tested.param.rule->code, tested.param.number);
});

TEST_P(Examples, HaveTheFindingsThatTheyAreMarkedWith)
{
  const Block& block = GetParam();
  for (const Marker& marker : markers_of(block)) {
    for (const std::string& code : marker.codes) {
      EXPECT_EQ(code, block.rule->code) << "a page speaks about its own rule only";
    }
  }
  const Rule* const rules[] = {block.rule};
  const std::vector<source::Finding> findings = findings_in(block.text, rules);
  EXPECT_EQ(found_lines(findings), expected_lines(block))
      << block.rule->name << ".md, line " << block.first_line << " and following\n"
      << print(findings) << print_gaps(block.text) << block.text;
}

TEST_P(Examples, WhatIsFixedHasNoOtherFault)
{
  const Block& block = GetParam();
  if (block.section != "Fixed") {
    return;
  }
  std::vector<source::Finding> findings = findings_in(block.text, all_rules());
  std::erase_if(findings, [&block](const source::Finding& finding) {
    return finding.rule == block.rule->code || finding.severity == Severity::info;
  });
  EXPECT_TRUE(findings.empty()) << block.rule->name << ".md, line " << block.first_line
                                << " and following\n"
                                << print(findings) << block.text;
}

TEST_P(Examples, AFixRemovesItsFinding)
{
  const Block& block = GetParam();
  const Rule* const rules[] = {block.rule};
  const std::vector<source::Finding> before = findings_in(block.text, rules);
  for (const source::Finding& finding : before) {
    if (!finding.fix) {
      continue;
    }
    EXPECT_NE(finding.fix->description, "") << print({finding});
    ASSERT_EQ(finding.fix->edits.size(), 1U);
    const Result<std::string> mended =
        source::apply_edits(block.text, finding.fix->edits.begin()->second);
    ASSERT_TRUE(mended) << mended.error().line();
    const std::vector<source::Finding> after = findings_in(*mended, rules);
    EXPECT_LT(after.size(), before.size())
        << "after the fix of " << print({finding}) << print(after) << *mended;
  }
}

} // namespace faultline::rules
