#include "source/language.hpp"

#include <gtest/gtest.h>

namespace faultline::source {

TEST(Language, IsToldByTheEndingOfTheFileName)
{
  EXPECT_EQ(language_of("train.py"), Language::python);
  for (const char* path : {"a.js", "src/a.mjs", "a.cjs"}) {
    EXPECT_EQ(language_of(path), Language::javascript) << path;
  }
  for (const char* path : {"a.cpp", "a.cc", "a.cxx", "a.hpp", "include/a.h"}) {
    EXPECT_EQ(language_of(path), Language::cpp) << path;
  }
}

TEST(Language, IsUnknownForOtherFiles)
{
  for (const char* path : {"", "py", "README.md", "data.csv", "a.py.txt", "a.json"}) {
    EXPECT_EQ(language_of(path), std::nullopt) << path;
  }
}

TEST(Language, HasAName)
{
  EXPECT_EQ(name_of(Language::python), "Python");
  EXPECT_EQ(name_of(Language::javascript), "JavaScript");
  EXPECT_EQ(name_of(Language::cpp), "C++");
}

} // namespace faultline::source
