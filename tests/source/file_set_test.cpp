#include "source/file_set.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

namespace {

FileSet example()
{
  FileSet files;
  files.add("a.py", "x = 1\n\ny = 2");
  files.add("n.ipynb", *Notebook::parse(R"({"cells": [
 {"cell_type": "code", "source": ["p = 1\n", "q = 2"]},
 {"cell_type": "code", "source": ["r = 3\n", "s = 'ä'"]}
]})"));
  return files;
}

} // namespace

TEST(FileSet, GivesTheLinesAroundAPlace)
{
  const FileSet files = example();
  const Place script{"a.py", 3, 1, 3, 2};
  EXPECT_EQ(files.line(script, 1), "x = 1");
  EXPECT_EQ(files.line(script, 2), "");
  EXPECT_EQ(files.line(script, 3), "y = 2");
  EXPECT_EQ(files.line(script, 4), std::nullopt);
  EXPECT_EQ(files.line(script, 0), std::nullopt);
  EXPECT_EQ(files.line({"b.py"}, 1), std::nullopt);
}

TEST(FileSet, OfANotebookTheLinesOfTheCell)
{
  const FileSet files = example();
  const Place cell{"n.ipynb", 1, 1, 1, 2, 1};
  EXPECT_EQ(files.line(cell, 1), "p = 1");
  EXPECT_EQ(files.line(cell, 2), "q = 2");
  EXPECT_EQ(files.line(cell, 3), std::nullopt);
  const Place last{"n.ipynb", 1, 1, 1, 2, 2};
  EXPECT_EQ(files.line(last, 2), "s = 'ä'");
  EXPECT_EQ(files.line(last, 3), std::nullopt);
}

TEST(FileSet, PlacesBytes)
{
  const FileSet files = example();
  EXPECT_EQ(files.place("a.py", 7, 8), (Place{"a.py", 3, 1, 3, 2}));
  EXPECT_EQ(files.place_on_disk("a.py", 7, 8), (Place{"a.py", 3, 1, 3, 2}));
  const size_t r = files.text("n.ipynb")->find("r = 3");
  EXPECT_EQ(files.place("n.ipynb", r, r + 1), (Place{"n.ipynb", 1, 1, 1, 2, 2}));
  EXPECT_EQ(files.place_on_disk("n.ipynb", r, r + 1), (Place{"n.ipynb", 3, 36, 3, 37}));
  EXPECT_EQ(files.place_on_disk(Place{"n.ipynb", 2, 5, 2, 8, 2}), (Place{"n.ipynb", 3, 51, 3, 54}));
  EXPECT_EQ(files.place_on_disk(Place{"a.py", 3, 1, 3, 2}), (Place{"a.py", 3, 1, 3, 2}));
}

} // namespace faultline::source
