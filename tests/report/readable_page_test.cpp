#include "report/readable_page.hpp"

#include <gtest/gtest.h>

namespace faultline::report {

TEST(ReadablePage, HasNoMarksOfTests)
{
  EXPECT_EQ(readable_page("## Example\n```python\nx = f()  # expect: DL101\n# expect: DL102\n"
                          "y = 1  # a comment\n```\nWrite `# expect: DL101`.\n"),
            "## Example\n```python\nx = f()\ny = 1  # a comment\n```\nWrite `# expect: DL101`.\n");
}

TEST(ReadablePage, ShowsATraceAsATable)
{
  EXPECT_EQ(
      readable_page("```jsonl\n// expect: TR048 at line 35\n"
                    R"({"event": "start", "framework": "torch", "command": ["python3", "a.py"]})"
                    "\n"
                    R"({"event": "optimizer", "kind": "SGD", "site": {"file": "a.py", "line": 3, )"
                    R"j("text": "o = SGD()"}, "settings": {"lr": 0.1}})j"
                    "\n"
                    R"({"event": "tensor", "step": 0, "layer": 0, "norm": 0.5})"
                    "\n"
                    R"({"event": "check", "step": 0})"
                    "\n```\n"),
      "```text\n"
      "STEP  EVENT      WHAT\n"
      "      start      framework torch; command python3 a.py\n"
      "      optimizer  kind SGD; at a.py:3: `o = SGD()`; settings lr 0.1\n"
      "   0  tensor     layer 0; norm 0.5\n"
      "```\n");
}

TEST(ReadablePage, LeavesOutTheMiddleOfManyEqualEvents)
{
  std::string page = "```jsonl\n";
  for (int i = 0; i < 20; ++i) {
    page += R"({"event": "step", "step": )" + std::to_string(i) + "}\n";
  }
  EXPECT_EQ(readable_page(page + "```\n"),
            "```text\n"
            "STEP  EVENT  WHAT\n"
            "   0  step   \n   1  step   \n   2  step   \n   …  step   …\n"
            "  18  step   \n  19  step   \n```\n");
}

TEST(ReadablePage, TakesATraceThatIsNone)
{
  EXPECT_EQ(readable_page("```jsonl\nnot json\n[1]\n```\n"), "```text\nSTEP  EVENT  WHAT\n```\n");
}

} // namespace faultline::report
