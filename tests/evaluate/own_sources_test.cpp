#include "base/file.hpp"
#include "evaluate/own_sources.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

namespace {

const std::string k_first(64, 'a');
const std::string k_second(64, 'b');

// As it lies in a binary: text between bytes that are none.
std::string mark(const std::string& command, const std::string& digest)
{
  return std::string("\0\x7f", 2) + "faultline sources of " + command + " " + digest +
         std::string("\0", 1);
}

} // namespace

TEST(OwnSources, AreReadFromTheBytesOfABinary)
{
  const std::map<std::string, std::string> expected = {{"check", k_first}, {"watch", k_second}};
  EXPECT_EQ(own_sources_in("x" + mark("check", k_first) + "y" + mark("watch", k_second)), expected);
}

TEST(OwnSources, WordsWithoutADigestAreNoMark)
{
  EXPECT_TRUE(own_sources_in("faultline sources of ").empty());
  EXPECT_TRUE(own_sources_in("faultline sources of check 1234").empty());
  EXPECT_TRUE(own_sources_in("faultline sources of check " + std::string(64, 'Z')).empty());
}

TEST(OwnSources, OfACommandAreItsOwnAndOfAnythingElseAreAll)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path binary = folder->path() / "faultline";
  ASSERT_TRUE(write_file(binary, mark("check", k_first) + mark("watch", k_second)));
  EXPECT_EQ(own_sources_of(binary, "check"), k_first);
  EXPECT_EQ(own_sources_of(binary, "watch"), k_second);
  const std::string all = own_sources_of(binary, "inject");
  EXPECT_EQ(own_sources_of(binary, ""), all);
  ASSERT_TRUE(write_file(binary, mark("check", k_first) + mark("watch", k_first)));
  EXPECT_EQ(own_sources_of(binary, "check"), k_first);
  EXPECT_NE(own_sources_of(binary, ""), all);
}

TEST(OwnSources, ABinaryWithoutAMarkIsKnownByItsBytes)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path binary = folder->path() / "faultline";
  ASSERT_TRUE(write_file(binary, "one"));
  const std::string before = own_sources_of(binary, "check");
  ASSERT_TRUE(write_file(binary, "two"));
  EXPECT_NE(own_sources_of(binary, "check"), before);
}

TEST(OwnSources, ThisBuildHasThemForBothOfItsDetectors)
{
  const Result<std::string> bytes = read_file(FL_BINARY);
  ASSERT_TRUE(bytes);
  const std::map<std::string, std::string> sources = own_sources_in(*bytes);
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_NE(sources.at("check"), sources.at("watch"));
}

} // namespace faultline::evaluate
