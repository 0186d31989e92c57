#include "serve/parameters.hpp"

#include <gtest/gtest.h>

namespace faultline::serve {

static Request request(const std::string& target)
{
  Request made;
  EXPECT_TRUE(read_target(target, made)) << target;
  return made;
}

static std::string problem(const Parameters& in)
{
  const Result<void> right = in.finish();
  return right ? "" : right.error().message;
}

static const std::vector<std::string> k_colours = {"red", "green"};

TEST(Parameters, ReadsWhatIsThere)
{
  const Request asked = request("/x?a=1&b=red&b=green&n=12");
  Parameters in(asked);
  EXPECT_EQ(in.text("a"), "1");
  EXPECT_EQ(in.some_of("b", k_colours), k_colours);
  EXPECT_EQ(in.number("n", 5, 100), 12U);
  EXPECT_EQ(in.number("m", 5, 100), 5U);
  EXPECT_EQ(in.one_of("c", k_colours, "red"), "red");
  EXPECT_EQ(problem(in), "");
}

TEST(Parameters, RefusesWhatNobodyAskedFor)
{
  const Request asked = request("/x?framwork=pytorch");
  Parameters in(asked);
  in.texts("framework");
  EXPECT_EQ(problem(in), "unknown parameter `framwork`, did you mean `framework`?");
}

TEST(Parameters, RefusesValuesThatDoNotExist)
{
  const Request asked = request("/x?c=gren");
  Parameters in(asked);
  in.one_of("c", k_colours, "red");
  EXPECT_EQ(problem(in), "unknown c `gren`, did you mean `green`?");
  const Request other = request("/x?c=%27%20OR%201=1%20--");
  Parameters hostile(other);
  hostile.some_of("c", k_colours);
  EXPECT_EQ(problem(hostile), "unknown c `' OR 1=1 --`; it is one of red, green");
}

TEST(Parameters, RefusesNumbersThatAreNone)
{
  for (const std::string value :
       {"-1", "1.5", "abc", "101", "1e3", "0x10", "99999999999999999999"}) {
    const Request asked = request("/x?n=" + value);
    Parameters in(asked);
    in.number("n", 5, 100);
    EXPECT_EQ(problem(in), "`n` must be a whole number from 0 to 100") << value;
  }
}

TEST(Parameters, RefusesASecondValueOfASingleOne)
{
  const Request asked = request("/x?n=1&n=2");
  Parameters in(asked);
  in.number("n", 5, 100);
  EXPECT_EQ(problem(in), "`n` is given more than once");
}

TEST(Parameters, RefusesWhatNobodyTypes)
{
  const Request asked = request("/x?q=" + std::string(1001, 'a'));
  Parameters in(asked);
  in.text("q");
  EXPECT_EQ(problem(in), "`q` is longer than 1000 characters");
}

TEST(Target, IsSplitAndDecoded)
{
  const Request asked = request("/a/b%20c/d%2Fe?x=1+2&y=%C3%A4&z#fragment");
  EXPECT_EQ(asked.path, "/a/b c/d/e");
  EXPECT_EQ(asked.segments, (std::vector<std::string>{"a", "b c", "d/e"}));
  EXPECT_EQ(asked.parameter("x"), "1 2");
  EXPECT_EQ(asked.parameter("y"), "ä");
  EXPECT_EQ(asked.query.count("z"), 1U);
}

TEST(Target, RefusesWhatLeavesTheRootOrIsNoText)
{
  for (const std::string target : {"",
                                   "a",
                                   "http://evil.example/",
                                   "/..",
                                   "/a/../b",
                                   "/%2e%2e/etc/passwd",
                                   "/a/%2E%2e",
                                   "/./a",
                                   "/a\\..\\b",
                                   "/a%5c..%5cb",
                                   "/a%00b",
                                   "/a%0d%0aSet-Cookie:x",
                                   "/a%",
                                   "/a%4",
                                   "/a%zz",
                                   "/a%ff",
                                   "/a?b=%00",
                                   "/a?b=%e4"}) {
    Request made;
    EXPECT_FALSE(read_target(target, made)) << target;
  }
}

} // namespace faultline::serve
