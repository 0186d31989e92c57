#include "base/json.hpp"
#include "source/notebook.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

namespace {

std::string notebook_of(const std::vector<std::string>& cells)
{
  Json json;
  json["cells"] = Json::array();
  for (const std::string& cell : cells) {
    json["cells"].push_back({{"cell_type", "code"}, {"source", cell}});
    json["cells"].push_back({{"cell_type", "markdown"}, {"source", "# words"}});
  }
  json["nbformat"] = 4;
  return json.dump(1);
}

Notebook parsed(const std::string& json)
{
  Result<Notebook> notebook = Notebook::parse(json);
  EXPECT_TRUE(notebook) << notebook.error().line();
  return notebook ? *std::move(notebook) : Notebook();
}

void check_refused(const std::string& json, const std::string& why)
{
  const Result<Notebook> notebook = Notebook::parse(json);
  ASSERT_FALSE(notebook);
  EXPECT_EQ(notebook.error().line(), why);
}

void check_magic(const std::string& source, const std::string& expected)
{
  EXPECT_EQ(without_magics(source), expected);
  EXPECT_EQ(without_magics(source).size(), source.size());
}

void check_untouched(const std::string& source)
{
  check_magic(source, source);
}

constexpr const char* k_jupyter = R"({
 "cells": [
  {
   "cell_type": "markdown",
   "source": ["x = 1"]
  },
  {
   "cell_type": "code",
   "execution_count": 1.50,
   "source": [
    "%matplotlib inline\n",
    "a = \"ä\"\n",
    "b = 2"
   ]
  },
  {
   "source": "c = 3\n",
   "cell_type": "code"
  },
  {
   "cell_type": "code",
   "source": []
  },
  {
   "cell_type": "code",
   "source": ["d = 4"]
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
}
)";

} // namespace

TEST(Notebook, JoinsTheCodeCells)
{
  EXPECT_EQ(parsed(k_jupyter).text(), "#matplotlib inline\na = \"ä\"\nb = 2\nc = 3\n\nd = 4\n");
  EXPECT_EQ(parsed(R"({"cells": []})").text(), "");
}

TEST(Notebook, ReadsVersionThree)
{
  EXPECT_EQ(parsed(R"({"worksheets": [{"cells": [
      {"cell_type": "code", "input": ["a = 1\n", "b = 2"]},
      {"cell_type": "heading", "source": "x"}]}]})")
                .text(),
            "a = 1\nb = 2\n");
}

TEST(Notebook, SaysWhyItCannotBeRead)
{
  check_refused("x = 1", "not a notebook: it is not valid JSON");
  check_refused("{}", "not a notebook: it has no cells");
  check_refused("[1, 2]", "not a notebook: it has no cells");
  check_refused(R"({"cells": [{"cell_type": "code", "source": 7}]})",
                "not a notebook: code cell 1 has no source");
  check_refused(R"({"cells": [], "metadata": {"language_info": {"name": "R"}}})",
                "a notebook of r, not of Python");
}

TEST(Notebook, MapsLinesToTheirCells)
{
  const Notebook notebook = parsed(k_jupyter);
  const auto check = [&notebook](size_t line, size_t cell, size_t within) {
    EXPECT_EQ(notebook.cell_line(line).cell, cell) << line;
    EXPECT_EQ(notebook.cell_line(line).line, within) << line;
    EXPECT_EQ(notebook.text_line({cell, within}), line);
  };
  check(1, 1, 1);
  check(3, 1, 3);
  check(4, 2, 1);
  check(5, 3, 1);
  check(6, 4, 1);
}

TEST(Notebook, MapsPlaces)
{
  const Notebook notebook = parsed(k_jupyter);
  const Place within = notebook.locate({"n.ipynb", 2, 5, 3, 2});
  EXPECT_EQ(within, (Place{"n.ipynb", 2, 5, 3, 2, 1}));
  const Place beyond = notebook.locate({"n.ipynb", 4, 1, 6, 2});
  EXPECT_EQ(beyond, (Place{"n.ipynb", 1, 1, 1, 1, 2}));
}

TEST(Notebook, FindsItsTextInTheFile)
{
  const Notebook notebook = parsed(R"({"cells": [
    {"cell_type": "code", "source": ["a = \"\u00e4\"\n", "b\t= '\ud83d\ude42'"]},
    {"cell_type": "code", "source": "c = 3"}]})");
  const auto written = [&notebook](const std::string& text) {
    const size_t at = notebook.text().find(text);
    const ByteRange range = notebook.in_json({at, at + text.size()});
    return notebook.json().substr(range.begin, range.end - range.begin);
  };
  EXPECT_EQ(written("a = "), "a = ");
  EXPECT_EQ(written("ä"), "\\u00e4");
  EXPECT_EQ(written("\"ä\""), R"(\"\u00e4\")");
  EXPECT_EQ(written("b\t= '🙂'"), R"(b\t= '\ud83d\ude42')");
  EXPECT_EQ(written("c = 3"), "c = 3");
}

TEST(Notebook, AnEditChangesOneSourceAndNoOtherByte)
{
  const Notebook notebook = parsed(k_jupyter);
  const size_t b = notebook.text().find("b = 2");
  const Result<std::string> edited =
      notebook.apply({{b + 4, b + 5, "\"ö\"\nz = 0"}, {b + 7, b + 7, "k, "}});
  ASSERT_TRUE(edited) << edited.error().line();
  std::string expected = k_jupyter;
  expected.replace(expected.find("    \"b = 2\""), 11, "    \"b = \\\"ö\\\"\\n\",\n    \"z = 0\"");
  expected.replace(expected.find("c = 3"), 5, "ck,  = 3");
  EXPECT_EQ(*edited, expected);
  EXPECT_EQ(parsed(*edited).text(),
            "#matplotlib inline\na = \"ä\"\nb = \"ö\"\nz = 0\nck,  = 3\n\nd = 4\n");
}

TEST(Notebook, AnEmptyCellCanBeWrittenTo)
{
  const Notebook notebook = parsed(R"({"cells": [{"cell_type": "code", "source": []}]})");
  EXPECT_EQ(*notebook.apply({{0, 0, "x = 1"}}),
            R"({"cells": [{"cell_type": "code", "source": ["x = 1"]}]})");
}

TEST(Notebook, AnEditBeyondItsCellIsRefused)
{
  const Notebook notebook = parsed(notebook_of({"a = 1", "b = 2"}));
  const Result<std::string> edited = notebook.apply({{0, 8, ""}});
  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error().line(), "an edit reaches beyond its cell");
}

TEST(NotebookMagic, BecomesACommentOfTheSameLength)
{
  check_magic("%matplotlib inline\nx = 1\n", "#matplotlib inline\nx = 1\n");
  check_magic("!pip install torch", "#pip install torch");
  check_magic("?np.sum\nmodel.fit?\nmodel.fit??\n", "#np.sum\n#odel.fit?\n#odel.fit??\n");
  check_magic("!pip install \\\n  torch \\\n  numpy\nx = 1",
              "#pip install \\\n# torch \\\n# numpy\nx = 1");
}

TEST(NotebookMagic, InABlockAStatementIsLeft)
{
  check_magic("if colab:\n    !pip install torch\n", "if colab:\n    pass #nstall torch\n");
}

TEST(NotebookMagic, AValueFromTheShellIsNotKnown)
{
  check_magic("files = !ls data\nt = %time f()\n", "files = _#s data\nt = _#ime f()\n");
}

TEST(NotebookMagic, ACellOfAnotherLanguageIsNoProgram)
{
  check_magic("%%bash\nls = 1\n  é\n", "#%bash\n#s = 1\n# é\n");
  check_magic("%%writefile x.py\nimport torch", "#%writefile x.py\n#mport torch");
  check_magic("%%time\nfit()\n", "#%time\nfit()\n");
}

TEST(NotebookMagic, OperatorsAndStringsAreNoMagic)
{
  check_untouched("print('%d' \n      % x)\n");
  check_untouched("x = a \\\n  % b\n");
  check_untouched("s = '''\n%matplotlib\n!ls\n'''\n");
  check_untouched("a = x != y\nb = a == c\n");
  check_untouched("d = {'k': 1}\nd['%'] = '?'\n");
  check_untouched("# what is this?\n");
}

} // namespace faultline::source
