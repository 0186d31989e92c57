#include "program/fixture.hpp"
#include "program/record/syntax_query.hpp"

#include <gmock/gmock.h>

namespace faultline::program {

using testing::ElementsAre;

static SyntaxFile parse(std::string_view text)
{
  return {text, 0, Limits().nesting};
}

TEST(SyntaxQuery, AnswersForWhatIsLeftOut)
{
  const auto any = [](const Syntax&) { return true; };
  EXPECT_FALSE(is(nullptr, SyntaxKind::name));
  EXPECT_FALSE(is_name(nullptr, ""));
  EXPECT_EQ(called_name(nullptr), "");
  EXPECT_EQ(assigned_in(nullptr, "x"), nullptr);
  EXPECT_EQ(find_syntax(nullptr, any), nullptr);
  EXPECT_FALSE(contains(nullptr, any));
  EXPECT_FALSE(mentions(nullptr, "x"));
  for_each_syntax(nullptr, [](const Syntax&) { ADD_FAILURE(); });
}

TEST(SyntaxQuery, NamesWhatIsCalled)
{
  static constexpr Example k_examples[] = {
      {"len(x)", "len"},
      {"np.shape(x)", "shape"},
      {"a.b.c()", "c"},
      {"make().fit(x)", "fit"},
      {"make()(x)", ""},
      {"layers[0](x)", ""},
      {"len", ""},
      {"x.shape", ""},
  };
  for (const Example& example : k_examples) {
    const SyntaxFile file = parse(example.source);
    const Syntax* statement = file.root().child(0);
    ASSERT_TRUE(is(statement, SyntaxKind::expression)) << example.source;
    EXPECT_EQ(called_name(statement->child(0)), example.expected) << example.source;
  }
}

TEST(SyntaxQuery, MentionsAreNamesOnTheirOwn)
{
  const SyntaxFile file = parse("if a:\n  x = f(b.c, d=[e])\n");
  for (const std::string_view name : {"a", "x", "f", "b", "e"}) {
    EXPECT_TRUE(mentions(&file.root(), name)) << name;
  }
  for (const std::string_view name : {"c", "d", "g", ""}) { // an attribute, a keyword, nothing
    EXPECT_FALSE(mentions(&file.root(), name)) << name;
  }
}

TEST(SyntaxQuery, FindsTheOuterBeforeTheInner)
{
  const SyntaxFile file = parse("x = 1\nouter(inner(2))\nlast(3)\n");
  const Syntax* found =
      find_syntax(&file.root(), [](const Syntax& node) { return node.kind == SyntaxKind::call; });
  EXPECT_EQ(called_name(found), "outer");
  EXPECT_EQ(find_syntax(found, [found](const Syntax& node) { return &node == found; }), found);
  EXPECT_TRUE(contains(found, [](const Syntax& node) { return node.integer == 2; }));
  EXPECT_FALSE(contains(found, [](const Syntax& node) { return node.integer == 3; }));
}

TEST(SyntaxQuery, TakesTheFirstAssignmentOfTheBlockItself)
{
  const SyntaxFile file = parse("if deep:\n  x = 1\nx[0] = 2\nx = 3\nx = 4\ny = z = 5\n");
  const Syntax* value = assigned_in(&file.root(), "x");
  ASSERT_TRUE(is(value, SyntaxKind::integer));
  EXPECT_EQ(value->integer, 3);
  EXPECT_TRUE(is(assigned_in(&file.root(), "y"), SyntaxKind::assign)); // of `z = 5`
  EXPECT_EQ(assigned_in(&file.root(), "z"), nullptr);
}

TEST(SyntaxQuery, VisitsAllFilesWithTheFunctionAround)
{
  const Files files = {{"util.py", "def twice(n):\n  return n\n"}};
  const auto program = analyse_text("from util import twice\n"
                                    "def outer(a=default):\n"
                                    "  def inner():\n"
                                    "    return b\n"
                                    "  return c\n"
                                    "x = twice(d)\n",
                                    files);
  std::vector<std::string> names;
  std::vector<std::string> places;
  for_each_syntax(*program, [&names](const Syntax& node) {
    if (node.kind == SyntaxKind::name) {
      names.emplace_back(node.text);
    }
  });
  for_each_syntax(*program, [&places](const Syntax& node, const Syntax& function) {
    if (node.kind == SyntaxKind::name) {
      const bool is_inside = function.kind == SyntaxKind::function;
      places.push_back(is_inside ? format("{} in {}", node.text, function.text) : "a file");
    }
  });
  EXPECT_THAT(names, ElementsAre("default", "b", "c", "x", "twice", "d", "n"));
  EXPECT_THAT(places,
              ElementsAre("default in outer",
                          "b in inner",
                          "c in outer",
                          "a file",
                          "a file",
                          "a file",
                          "n in twice"));
}

} // namespace faultline::program
