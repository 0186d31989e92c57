#include "program/fixture.hpp"

namespace faultline::program {

TEST(Interpreter, FoldsConstants)
{
  static constexpr Example k_examples[] = {
      {"x = 3 * (2 + 4) // 5", "3"},
      {"x = 7 / 2", "3.5f"},
      {"x = 2 ** 10", "1024"},
      {"x = -7 // 2", "-4"},
      {"x = -7 % 3", "2"},
      {"x = 1 < 2 < 3", "True"},
      {"x = not 0", "True"},
      {"x = 'a' + 'b'", "'ab'"},
      {"x = 'n=%d' % 3", "str"},
      {"x = f'{3}'", "str"},
      {"x = 0x10 + 1_000", "1016"},
      {"x = 1e-3", "0.001f"},
      {"x = [1, 2] + [3]", "[1, 2, 3]"},
      {"x = [0] * 3", "[0, 0, 0]"},
      {"x = (1, 2)[1]", "2"},
      {"x = [1, 2, 3, 4][1:3]", "[2, 3]"},
      {"x = [1, 2, 3, 4][::-1]", "[4, 3, 2, 1]"},
      {"x = [1, 2, 3, 4][-1:0:-2]", "[4, 2]"},
      {"x = {'a': 1}['a']", "1"},
      {"x = 3 if 1 > 2 else 4", "4"},
      {"x = None or 5", "5"},
      {"x = 'sgd' in ['adam', 'sgd']", "True"},
      {"x = 1 is not None", "True"},
      {"x = undefined_name", "?"},
  };
  check(k_examples);
}

TEST(Interpreter, FollowsAssignmentsAndUnpacking)
{
  static constexpr Example k_examples[] = {
      {"x = y = 3\n", "3"},
      {"(a, b), c = (1, 2), 3\nx = [c, b, a]", "[3, 2, 1]"},
      {"a, *b = 1, 2, 3\nx = b", "[2, 3]"},
      {"x = 1\nx += 2\nx *= 5", "15"},
      {"x = [1]\ny = x\ny += [2]", "[1, 2]"},
      {"x = {}\nx['k'] = 3\nx['k'] = 4", "{'k': 4}"},
      {"a = [1, 2]\na[-1] = 9\nx = a", "[1, 9]"},
      {"x: int = 4", "4"},
      {"if (n := 5) > 3:\n  x = n", "5"},
  };
  check(k_examples);
}

TEST(Interpreter, TakesBothSidesOfABranchThatDependsOnTheRun)
{
  static constexpr Example k_examples[] = {
      {"if flag:\n  x = 1\nelse:\n  x = 1", "1"},
      {"if flag:\n  x = 1\nelse:\n  x = 2", "int"},
      {"x = 'a'\nif flag:\n  x = 'b'", "'b' or 'a'"},
      {"x = None\nif flag:\n  x = 'b'", "'b' or None"},
      {"if True:\n  x = 1\nelse:\n  x = 2", "1"},
      {"x = []\nif flag:\n  x += [1]\nelse:\n  x += [2]", "[int]"},
      {"def f():\n  if flag:\n    return 1\n  return 1\nx = f()", "1"},
      {"try:\n  x = 1\nexcept ValueError:\n  x = 2", "int"},
      {"try:\n  x = 1\nexcept ValueError:\n  raise", "1"},
      {"x = 1\nwhile flag:\n  x = 1", "1"},
  };
  check(k_examples);
}

TEST(Interpreter, CallsFunctionsAndMethods)
{
  static constexpr Example k_examples[] = {
      {"def f(a, b=2, *c, d=4, **e):\n  return [a, b, c, d, e]\nx = f(1, 5, 6, d=7, z=8)",
       "[1, 5, (6), 7, {'z': 8}]"},
      {"def f(a, b):\n  return a - b\nx = f(*[5, 3])", "2"},
      {"def f(a, b):\n  return a - b\nx = f(**{'b': 5, 'a': 3})", "-2"},
      {"f = lambda a, b=3: a * b\nx = f(2)", "6"},
      {"class C:\n  k = 3\n  def __init__(self, n):\n    self.n = n\n  def get(self):\n    return "
       "self.n + self.k\nx = C(4).get()",
       "7"},
      {"class A:\n  def f(self):\n    return 1\nclass B(A):\n  def f(self):\n    return "
       "super().f() + 1\nx = B().f()",
       "2"},
      {"class A:\n  def f(self):\n    return 1\nclass B(A):\n  def f(self):\n    return "
       "super(B, self).f() + 1\nx = B().f()",
       "2"},
      {"class A:\n  def __init__(self):\n    self.v = 1\nclass B(A):\n  pass\nx = B().v", "1"},
      {"class C:\n  def __call__(self, a):\n    return a + 1\nx = C()(1)", "2"},
      {"class C:\n  def __getitem__(self, i):\n    return i * 2\nx = C()[4]", "8"},
      {"class C:\n  def __add__(self, o):\n    return o\nx = C() + 4", "4"},
      {"def outer():\n  n = 1\n  def inner():\n    nonlocal n\n    n = 5\n  inner()\n  return n\nx "
       "= "
       "outer()",
       "5"},
      {"n = 1\ndef f():\n  global n\n  n = 2\nf()\nx = n", "2"},
      {"def f(n):\n  return f(n - 1)\nx = f(9)", "?"},
      {"def f():\n  yield 1\nfor x in f():\n  pass", "1"},
      {"def twice(f):\n  def g(a):\n    return f(f(a))\n  return g\n@twice\ndef h(a):\n  return a "
       "+ "
       "1\nx = h(0)",
       "2"},
      {"def f():\n  pass\nx = f()", "None"},
      {"class P:\n  a: int\n  b: int = 2\nx = [P(5).a, P(5, b=3).b, P(5).b]", "[5, 3, 2]"},
  };
  check(k_examples);
}

TEST(Interpreter, GoesThroughLoops)
{
  static constexpr Example k_examples[] = {
      {"x = 0\nfor i in [1, 2, 3]:\n  x += i", "6"},
      {"x = 0\nfor a, b in [(1, 2), (3, 4)]:\n  x += a * b", "14"},
      {"x = [i * 2 for i in [1, 2, 3]]", "[2, 4, 6]"},
      {"x = [i for i in [1, 2, 3] if i > 1]", "[2, 3]"},
      {"x = [a + b for a in [1, 2] for b in [10, 20]]", "[11, 21, 12, 22]"},
      {"x = {k: 1 for k in ['a']}", "{'a': 1}"},
      {"x = 0\nwhile flag:\n  x += 1", "int"},
      {"x = 0\nfor i in unknown_things:\n  x += 1", "int"},
      {"x = 0\nfor i in [1, 2, 3]:\n  x = i\n  break", "1"},
      {"x = []\nfor i in unknown_things:\n  x += [1]", "[1, *1]"},
  };
  check(k_examples);
}

TEST(Interpreter, RunsTheMainBlockOfTheMainFileOnly)
{
  const Files files = {{"other.py", "n = 3\nif __name__ == '__main__':\n  n = 4\n"}};
  const auto program =
      analyse_text("import other\nx = 1\nif __name__ == '__main__':\n  x = other.n\n", files);
  EXPECT_EQ(global(*program, "x"), "3");
}

TEST(Interpreter, FollowsImportsBetweenFiles)
{
  const Files files = {
      {"util.py", "from pack.deep import base\ndef twice(n):\n  return n * base\n"},
      {"pack/__init__.py", ""},
      {"pack/deep.py", "from . import side\nbase = side.two\n"},
      {"pack/side.py", "two = 2\n"},
      {"star.py", "a = 7\n_hidden = 8\n"},
      {"ring.py", "import ring2\nr = 1\n"},
      {"ring2.py", "import ring\ns = ring.r\n"},
  };
  EXPECT_EQ(global(*analyse_text("from util import twice as t\nx = t(21)", files), "x"), "42");
  EXPECT_EQ(global(*analyse_text("import util\nx = util.twice(4)", files), "x"), "8");
  EXPECT_EQ(global(*analyse_text("from star import *\nx = a", files), "x"), "7");
  EXPECT_EQ(global(*analyse_text("from star import *\nx = _hidden", files), "x"), "?");
  EXPECT_EQ(global(*analyse_text("import ring\nx = ring.r", files), "x"), "1");
  EXPECT_EQ(global(*analyse_text("import pack.side\nx = pack.side.two", files), "x"), "2");
}

TEST(Interpreter, ReadsPython2AndBrokenFiles)
{
  static constexpr Example k_examples[] = {
      {"print 'hello', 3\nx = 2", "2"},
      {"try:\n  x = 1\nexcept Exception, e:\n  print e\n", "1"},
      {"x = 3\ndef f(:\n", "3"},
      {"x = 0777L", "777"},
  };
  check(k_examples);
  EXPECT_TRUE(analyse_text("print 'a'")->gaps().empty());
  ASSERT_FALSE(analyse_text("def f(:\n  pass")->gaps().empty());
  EXPECT_EQ(analyse_text("def f(:\n  pass")->gaps().front().what, "syntax error");
}

TEST(Interpreter, StaysWithinItsLimits)
{
  std::string deep(5000, '(');
  EXPECT_NO_FATAL_FAILURE(analyse_text("x = " + deep + "1" + std::string(5000, ')')));
  std::string nested;
  for (int i = 0; i < 90; ++i) {
    nested += std::string(static_cast<size_t>(i), ' ') + "for i in [1,2,3]:\n";
  }
  EXPECT_NO_FATAL_FAILURE(analyse_text(nested + std::string(90, ' ') + "x = 1\n"));
  const auto program = analyse_text("def f(n):\n  return [f(n), f(n), f(n), f(n)]\nx = f(1)\n");
  EXPECT_NE(global(*program, "x"), "undefined");
  EXPECT_NO_FATAL_FAILURE(analyse_text("x = [0] * 1000000000\ny = 10 ** 1000000\n"));
}

TEST(Interpreter, RunsFunctionsThatNothingCalls)
{
  const auto program = analyse_text("def f(a):\n  global x\n  x = 3\n");
  EXPECT_EQ(global(*program, "x"), "3");
}

} // namespace faultline::program
