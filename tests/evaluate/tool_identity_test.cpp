// Everything that a detector is made of changes its identity, and nothing else does.

#include "base/file.hpp"
#include "evaluate/tool_identity.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

namespace fs = std::filesystem;

class ToolIdentityTest : public testing::Test {
protected:
  void SetUp() override
  {
    ASSERT_TRUE(write_tree(m_folder->path(),
                           {{"detector/detect.py", "print('one')"},
                            {"detector/rules/a.txt", "a"},
                            {"data/probes/faultline_watch/attach.py", "probe"},
                            {"data/probes/campaign_run.py", "of campaigns"},
                            {"data/taxonomy/types.toml", "types"},
                            {"data/docs/page.md", "page"},
                            {"bin/faultline", "binary"}}));
    m_tool.name = "mine";
    m_tool.command = {"python3", at("detector/detect.py"), "{files}"};
    m_tool.folders = {at("detector")};
    m_own = {m_folder->path() / "bin/faultline", m_folder->path() / "data"};
    m_environment.root = m_folder->path();
    m_environment.python = run::Python{};
    m_environment.python->path = "/usr/bin/python3";
    m_environment.python->version = "3.11.2";
  }

  std::string at(const std::string& path) const { return (m_folder->path() / path).string(); }

  std::string identity() { return m_identities.files_digest(m_tool, m_environment, m_own); }

  // Whether the identity is another than it was when this was last asked.
  bool is_another()
  {
    const std::string now = identity();
    return std::exchange(m_last, now) != now;
  }

  Result<TempDir> m_folder = TempDir::create();
  Tool m_tool;
  OwnTools m_own;
  run::Environment m_environment;
  ToolIdentities m_identities;
  std::string m_last;
};

TEST_F(ToolIdentityTest, AnUntouchedToolStaysWhatItIs)
{
  EXPECT_TRUE(is_another());
  EXPECT_FALSE(is_another());
  EXPECT_EQ(ToolIdentities().files_digest(m_tool, m_environment, m_own), identity());
  ASSERT_TRUE(write_file(m_folder->path() / "unrelated.txt", "anything"));
  EXPECT_FALSE(is_another());
}

TEST_F(ToolIdentityTest, EveryFileOfItsFolderCounts)
{
  is_another();
  ASSERT_TRUE(write_file(at("detector/detect.py"), "print('two')")); // of the same size
  EXPECT_TRUE(is_another());
  ASSERT_TRUE(write_file(at("detector/rules/a.txt"), "b"));
  EXPECT_TRUE(is_another());
  ASSERT_TRUE(write_file(at("detector/new.py"), ""));
  EXPECT_TRUE(is_another());
  EXPECT_FALSE(is_another());
}

TEST_F(ToolIdentityTest, AFileInTheCommandCountsWithoutAFolder)
{
  m_tool.folders.clear();
  is_another();
  ASSERT_TRUE(write_file(at("detector/detect.py"), "print('two')"));
  EXPECT_TRUE(is_another());
  m_tool.command = {"sh", "-c", "cd /tmp && python3 '" + at("detector/detect.py") + "' | cat"};
  is_another();
  ASSERT_TRUE(write_file(at("detector/detect.py"), "print('three')"));
  EXPECT_TRUE(is_another());
}

TEST_F(ToolIdentityTest, WhatItRequiresCounts)
{
  m_tool.folders.clear();
  m_tool.command = {"true"};
  m_tool.needs = {at("detector/rules/a.txt")};
  is_another();
  ASSERT_TRUE(write_file(at("detector/rules/a.txt"), "b"));
  EXPECT_TRUE(is_another());
}

TEST_F(ToolIdentityTest, AToolWithoutTheFolderIsAnother)
{
  is_another();
  m_tool.folders.clear();
  EXPECT_TRUE(is_another());
  m_tool.folders = {at("detector/rules")};
  EXPECT_TRUE(is_another());
}

TEST_F(ToolIdentityTest, InterpretersAndPackagesCount)
{
  is_another();
  m_environment.python->version = "3.11.3";
  EXPECT_TRUE(is_another());
  m_environment.python->packages["torch"] = "2.0";
  EXPECT_TRUE(is_another());
  m_environment.python->installed = "pylint-3.0.dist-info";
  EXPECT_TRUE(is_another());
  m_environment.node = run::Node{"/usr/bin/node", "v18", {}, "lock"};
  EXPECT_TRUE(is_another());
  m_environment.node->installed = "another lock";
  EXPECT_TRUE(is_another());
}

TEST_F(ToolIdentityTest, OurOwnToolIsItsSourcesAndTheDataThatItSees)
{
  m_tool.folders.clear();
  m_tool.command = {"{faultline}", "watch", "{run}"};
  is_another();
  for (const char* name :
       {"bin/faultline", "data/probes/faultline_watch/attach.py", "data/taxonomy/types.toml"}) {
    ASSERT_TRUE(write_file(at(name), "what is longer than before"));
    EXPECT_TRUE(is_another()) << name;
  }
  for (const char* name : {"data/docs/page.md", "data/probes/campaign_run.py"}) {
    ASSERT_TRUE(write_file(at(name), "what is longer than before"));
    EXPECT_FALSE(is_another()) << name;
  }
}

TEST_F(ToolIdentityTest, ARebuildFromTheSameSourcesChangesNothing)
{
  m_tool.folders.clear();
  m_tool.command = {"{faultline}", "check", "{program}"};
  const std::string mark = "faultline sources of check " + std::string(64, 'a');
  ASSERT_TRUE(write_file(m_own.binary, "built once " + mark));
  is_another();
  ASSERT_TRUE(write_file(m_own.binary, "built again, other bytes, " + mark + " and more"));
  EXPECT_FALSE(is_another());
  ASSERT_TRUE(write_file(m_own.binary, "faultline sources of check " + std::string(64, 'b')));
  EXPECT_TRUE(is_another());
}

TEST_F(ToolIdentityTest, TheHashOfReportsKnowsTheDescriptionToo)
{
  const ToolIdentity identity{"mine 1.0", "digest"};
  const std::string before = detector_hash(m_tool, identity);
  EXPECT_EQ(before.size(), 12U);
  EXPECT_EQ(detector_hash(m_tool, identity), before);
  EXPECT_NE(detector_hash(m_tool, {"mine 1.0", "another"}), before);
  Tool retyped = m_tool;
  retyped.types["R"] = "api/wrong-api-usage";
  EXPECT_NE(detector_hash(retyped, identity), before);
  Tool stricter = m_tool;
  stricter.levels = {source::Severity::error};
  EXPECT_NE(detector_hash(stricter, identity), before);
  Tool united;
  united.members = {"a", "b"};
  EXPECT_NE(union_hash(united, {"1", "2"}), union_hash(united, {"1", "3"}));
}

} // namespace faultline::evaluate
