#include "evaluate/tool_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::evaluate {

using testing::ElementsAre;

namespace {

// What the tool itself is started with: the words behind the script that redirects its output.
std::vector<std::string> words_of(const run::Job& job)
{
  constexpr size_t k_script = 4;
  return {job.command.begin() + k_script, job.command.end()};
}

} // namespace

TEST(ToolJob, NamesTheFilesOfTheVersionThatIsRun)
{
  Subject subject;
  subject.language = "python";
  subject.buggy = {{"data.py", ""}, {"notes.txt", ""}, {"train.py", "import data\n"}};
  subject.fixed = {{"train.py", "import loss\n"}, {"loss.py", ""}, {"notes.txt", ""}};
  Tool tool;
  tool.command = {"lint", "{files}"};
  const run::Job buggy = tool_job(tool, subject, catalog::Version::buggy, {}, {});
  const run::Job fixed = tool_job(tool, subject, catalog::Version::fixed, {}, {});
  EXPECT_THAT(words_of(buggy), ElementsAre("lint", "data.py", "train.py"));
  EXPECT_THAT(words_of(fixed), ElementsAre("lint", "loss.py", "train.py"));
  EXPECT_TRUE(fixed.files.contains("program/loss.py"));
  EXPECT_FALSE(fixed.files.contains("program/data.py"));
}

} // namespace faultline::evaluate
