#include "source/parse_limit.hpp"
#include "source/syntax.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

static std::string repeated(std::string_view part, size_t times)
{
  std::string text;
  for (size_t i = 0; i < times; ++i) {
    text += part;
  }
  return text;
}

TEST(ParseLimit, IsFarFromWhatPeopleWrite)
{
  for (const std::string& text : {repeated("x = f(a, b)[c]\n", 20'000),
                                  "x = [" + repeated("1, ", 100'000) + "]\n",
                                  "x = {" + repeated("'key': g(1 + 2),\n", 50'000) + "}\n",
                                  repeated("'text' ", 50'000),
                                  repeated("# ((((((\n", 50'000),
                                  "'''" + repeated("(((( not ", 50'000) + "'''\n",
                                  repeated("x = 1; ", 50'000)}) {
    EXPECT_EQ(parsable_length(text, Language::python), text.size()) << text.substr(0, 20);
  }
}

// Each of these once made the parser free what was not its own, or took minutes.
TEST(ParseLimit, KeepsTheParserFromLosingItsWay)
{
  constexpr size_t k_many = 100'000;
  for (const std::string_view part : {"(",
                                      "[1 ",
                                      "f'{",
                                      "not ",
                                      "-",
                                      "lambda: ",
                                      "x = ",
                                      "a if b else ",
                                      "if x: ",
                                      "class A: ",
                                      "f(a=",
                                      "*",
                                      "x := ",
                                      "try: ",
                                      "for x in y: ",
                                      "def f(): ",
                                      "import ",
                                      "exec ",
                                      "\\\n"}) {
    const std::string text = "before = 1\n" + repeated(part, k_many);
    const size_t length = parsable_length(text, Language::python);
    EXPECT_EQ(length, 11U) << part;
    const SyntaxTree tree = SyntaxTree::parse(text, Language::python);
    ASSERT_EQ(tree.errors().size(), 1U) << part;
    EXPECT_EQ(tree.errors().front(), (ByteRange{11, text.size()})) << part;
    EXPECT_EQ(tree.root().named_children().size(), 1U) << part;
  }
}

} // namespace faultline::source
