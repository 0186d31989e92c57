// The documentation is the test: every ```python before block of every operator's page becomes
// exactly the ```python after blocks that follow it, in this order; nothing if none follows.

#include "base/format.hpp"
#include "inject/page.hpp"
#include "inject/variant.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::inject {

static std::vector<Example> all_examples()
{
  std::vector<Example> examples;
  for (const Operator* op : all_operators()) {
    const std::vector<Example> more = examples_of(*op);
    examples.insert(examples.end(), more.begin(), more.end());
  }
  return examples;
}

class Examples : public testing::TestWithParam<Example> {};

INSTANTIATE_TEST_SUITE_P(
    Operators, Examples, testing::ValuesIn(all_examples()), [](const auto& tested) {
      return format("{}_example_{}", tested.param.op->code, tested.param.number);
    });

TEST_P(Examples, BecomeWhatThePageSays)
{
  const Example& example = GetParam();
  const FileTree files = {{"example.py", example.before}};
  ASSERT_FALSE(
      source::SyntaxTree::parse(example.before, source::Language::python).root().has_error())
      << example.before;
  Selection selection;
  selection.operators = {example.op};
  selection.setting = example.setting;
  const std::vector<Variant> variants = make_variants(files, selection);
  std::vector<std::string> made;
  std::vector<std::string> expected;
  for (size_t i = 0; i < std::max(variants.size(), example.after.size()); ++i) {
    const bool names_setting = i < example.after.size() && example.after[i].setting.has_value();
    if (i < variants.size()) {
      made.push_back((names_setting ? "# setting: " + variants[i].setting + "\n" : "") +
                     *changed_text(variants[i], files));
    }
    if (i < example.after.size()) {
      expected.push_back((names_setting ? "# setting: " + *example.after[i].setting + "\n" : "") +
                         example.after[i].text);
    }
  }
  EXPECT_EQ(made, expected) << "the page of " << example.op->name << ", line " << example.first_line
                            << " and following:\n"
                            << example.before << "became\n"
                            << (made.empty() ? "nothing\n" : join(made, "and\n"));
}

TEST(Pages, ShowWhatEachOperatorOfPythonDoes)
{
  for (const Operator* op : all_operators()) {
    EXPECT_TRUE(documentation_of(*op).starts_with("## What it does\n")) << op->code;
    if (op->level != Level::weights) {
      const std::vector<Example> examples = examples_of(*op);
      EXPECT_TRUE(std::ranges::any_of(examples, [](const Example& e) { return !e.after.empty(); }))
          << op->code << " has no example of what it does";
    }
  }
}

} // namespace faultline::inject
