#include "source/reparser.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

TEST(Reparser, SeesErrorsAsParsingFromNothingDoes)
{
  const std::string text = "def f(a):\n    return a + 1\n\nx = f(2)\n";
  const Reparser reparser(text, Language::python);
  const auto check = [&](ByteRange range, const std::string& with, bool has_error) {
    std::string changed = text;
    changed.replace(range.begin, range.end - range.begin, with);
    EXPECT_EQ(reparser.has_error(changed, range, range.begin + with.size()), has_error) << changed;
    EXPECT_EQ(SyntaxTree::parse(changed, Language::python).root().has_error(), has_error);
  };
  const size_t plus = text.find('+');
  check({plus, plus + 1}, "-", false);
  check({plus, plus + 1}, "if x else\\\n", false);
  check({plus, plus + 1}, "", true);
  check({plus, plus + 1}, "(", true);
  check({0, 0}, "import torch\n\n", false);
  check({0, 4}, "", true);
  check({text.size(), text.size()}, "y = (\n1)\n", false);
  check({text.size(), text.size()}, "y = (\n", true);
  check({0, text.size()}, "pass\n", false);
  check({plus, plus + 1}, "*", false); // earlier changes leave no trace
}

} // namespace faultline::source
