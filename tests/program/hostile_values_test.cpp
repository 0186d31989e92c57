// Every name that we model is called with values that hold themselves, are too deep, too many or
// too large, and with no sense at all. Whatever it makes of them, it must come to an end.

#include "base/clock.hpp"
#include "base/format.hpp"
#include "program/hostile_values.hpp"
#include "program/record/program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace faultline::program {
namespace {

std::string import_of(std::string_view name)
{
  return format("import {}\n", name.substr(0, name.find('.')));
}

// The call alone, with options, and what comes of it used in all ways.
std::string calls_of(const Api& api)
{
  std::string text = import_of(api.name);
  for (const std::string_view value : k_hostile_values) {
    text += format("made = {}({})\n", api.name, value);
    if (value.starts_with('*')) {
      continue;
    }
    text += format("made({0})\nmade[{0}]\nfor one in made:\n    one({0})\n", value);
    text += format("{}({}, {})\n", api.name, value, value);
    for (const Parameter& parameter : parameters_of(api)) {
      if (parameter.form == Parameter::Form::ordinary ||
          parameter.form == Parameter::Form::keyword_only) {
        text += format("{}({}={})\n", api.name, parameter.name, value);
      }
    }
  }
  return text;
}

TEST(HostileValues, EndEveryModelledCall)
{
  constexpr double k_most_seconds = 30; // for about 200 calls, on a busy machine with sanitizers
  size_t names = 0;
  for (const std::span<const Api> table : api_tables()) {
    for (const Api& api : table) {
      const double start = monotonic_seconds();
      const auto program = analyse("main.py", std::string(k_hostile_definitions) + calls_of(api));
      EXPECT_LT(monotonic_seconds() - start, k_most_seconds) << api.name;
      EXPECT_FALSE(program->calls().empty()) << api.name;
      ++names;
    }
  }
  EXPECT_GT(names, 3000U);
}

// What once went on for ever, overflowed the stack or took all memory.
TEST(HostileValues, EndWhatOnceDidNot)
{
  for (const std::string_view program : {
           "import numpy\nl = []\nl.append(l)\nnumpy.array(l)\n",
           "x = [] * 10 ** 18\n",
           "s = 'a'\nfor i in range(128):\n    s = s + s\n",
           "l = [0]\nfor i in range(128):\n    l = l + l\n",
           "l = [0]\nfor i in range(128):\n    l.extend(l)\n",
           "l = [0] * 9\nfor i in range(9):\n    l = [l] * 100\nimport numpy\nnumpy.array(l)\n",
           "l = list(range(9))\nl[1::9223372036854775807]\n",
           "class A:\n    pass\nfor i in range(100):\n    class A(A, A):\n        pass\nA().x\n",
           "class A:\n    @property\n    def p(self):\n        return self.p.p.p\nA().p\n",
           "import torch\nm = torch.nn.Sequential()\nm.append(m)\nm(torch.zeros(3))\nm.cuda()\n",
           "import keras\nm = keras.Sequential()\nm.add(m)\nm.summary()\nm(keras.Input((3,)))\n",
           "import torch\nm = torch.zeros(3) > 0\nfor i in range(100):\n    m = m & m\nm.sum()\n",
           "f = lambda f: f(f)(f(f))\nf(f)\n",
           "from main import *\nimport main\nmain.main.main\n",
       }) {
    const double start = monotonic_seconds();
    const ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
      return path.ends_with(".py") ? std::optional<std::string>(program) : std::nullopt;
    };
    analyse("main.py", std::string(program), read);
    EXPECT_LT(monotonic_seconds() - start, 20) << program;
  }
}

// Deep syntax is no deeper than the limit, whatever makes it deep.
TEST(HostileValues, OfSyntaxEnd)
{
  const auto repeated = [](std::string_view part, size_t times) {
    std::string text;
    for (size_t i = 0; i < times; ++i) {
      text += part;
    }
    return text;
  };
  constexpr size_t k_many = 100'000;
  std::string elifs = "if x:\n    pass\n";
  std::string blocks;
  for (size_t i = 0; i < 20'000; ++i) {
    elifs += "elif x:\n    y = 1\n";
  }
  for (size_t i = 0; i < 500; ++i) {
    blocks += std::string(i, ' ') + "if x:\n";
  }
  for (const std::string& text : {repeated("(", 10 * k_many),
                                  repeated("-", k_many) + "1",
                                  repeated("not ", k_many) + "x",
                                  repeated("a.", k_many) + "b",
                                  "x" + repeated("()", k_many),
                                  "x" + repeated("[0]", k_many),
                                  repeated("a = ", k_many) + "1",
                                  repeated("[", k_many) + repeated("]", k_many),
                                  "x = 1" + repeated(" + 1", k_many),
                                  "x = a" + repeated(" if b else c", k_many),
                                  repeated("lambda: ", k_many) + "1",
                                  repeated("@d\n", k_many) + "def f(): pass\n",
                                  "[x " + repeated("for x in y ", 10'000) + "]",
                                  elifs,
                                  blocks,
                                  repeated("f'{", k_many),
                                  repeated("'a' ", k_many)}) {
    EXPECT_FALSE(analyse("main.py", text)->units().empty()) << text.substr(0, 20);
  }
}

} // namespace
} // namespace faultline::program
