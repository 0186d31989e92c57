#include "base/file.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace faultline {

TEST(Shell, LeavesPlainWordsAlone)
{
  EXPECT_EQ(shell_word("faultline"), "faultline");
  EXPECT_EQ(shell_word("--output=/tmp/a-b_c.1/x:y@z"), "--output=/tmp/a-b_c.1/x:y@z");
}

TEST(Shell, QuotesWhatAShellWouldRead)
{
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("/my files/a.py"), "'/my files/a.py'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
}

TEST(Shell, EveryWordComesBackFromARealShell)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  std::vector<std::string> words = {
      "a b", "", "it's", "$HOME", "`id`", "a\\b", "x\ny", "*", "!1", "#c", "é"};
  for (int c = 1; c < 128; ++c) {
    words.emplace_back(1, static_cast<char>(c));
  }
  const std::string out = (folder->path() / "out").string();
  std::string expected;
  for (const std::string& word : words) {
    expected += word + "|";
  }
  std::vector<std::string> command = {"printf", "%s|"};
  command.insert(command.end(), words.begin(), words.end());
  ASSERT_EQ(std::system((shell_line(command) + " >" + shell_word(out)).c_str()), 0);
  EXPECT_EQ(*read_file(out), expected);
}

} // namespace faultline
