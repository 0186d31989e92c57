#include "base/file.hpp"
#include "serve/run_log.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace faultline::serve {

static RunRequest request(const std::string& user)
{
  RunRequest made;
  made.user = user;
  made.fault = "pytorch-x";
  made.version = "buggy";
  made.seed = 3;
  return made;
}

class RunLogTest : public testing::Test {
protected:
  std::filesystem::path path() const { return m_folder->path() / "serve.sqlite"; }
  Result<RunLog> open(size_t most = RunLog::k_most_runs) const
  {
    return RunLog::open(path(), most);
  }

  Result<TempDir> m_folder = TempDir::create();
};

TEST_F(RunLogTest, KeepsARunWithItsLogToTheByte)
{
  Result<RunLog> log = open();
  ASSERT_TRUE(log);
  Result<RunRecord> record = log->add(request("u"));
  ASSERT_TRUE(record);
  record->started = "2026-01-01T00:00:00Z";
  ASSERT_TRUE(log->start(*record));
  record->state = record->end.state = RunState::finished;
  record->end.verdict = "fail";
  record->end.why = "exit status 1";
  record->end.wall_seconds = 1.5;
  record->end.findings = Json::array({{{"rule", "R"}}});
  const std::string text = std::string("a\0\xff<script>", 11) + std::string(100'000, 'x');
  ASSERT_TRUE(log->finish(*record, text));

  Result<RunLog> again = open();
  const Result<std::optional<RunRecord>> found = again->find(record->id);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->state, RunState::finished);
  EXPECT_EQ((*found)->request.user, "u");
  EXPECT_EQ((*found)->request.seed, 3);
  EXPECT_EQ((*found)->end.verdict, "fail");
  EXPECT_EQ((*found)->end.findings[0]["rule"], "R");
  EXPECT_EQ((*found)->log_bytes, text.size());
  EXPECT_EQ(again->log(record->id)->value(), text);
  EXPECT_FALSE(again->find(99)->has_value());
}

// A process is killed in the middle of a run, with another one waiting.
TEST_F(RunLogTest, AfterAKillARunningOneIsInterruptedAndAWaitingOneWaits)
{
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Result<RunLog> log = open();
    Result<RunRecord> running = log->add(request("a"));
    const Result<RunRecord> waiting = log->add(request("b"));
    running->started = "2026-01-01T00:00:00Z";
    const bool fine = waiting && log->start(*running) && write(ready[1], "x", 1) == 1;
    pause();
    _exit(fine ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));

  Result<RunLog> log = open();
  ASSERT_TRUE(log);
  const std::vector<RunRecord> all = *log->newest(10);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].state, RunState::interrupted);
  EXPECT_EQ(all[1].end.why, "the server ended while this ran");
  EXPECT_FALSE(all[1].finished.empty());
  EXPECT_EQ(all[0].state, RunState::waiting);
  ASSERT_EQ(log->waiting()->size(), 1U);
  EXPECT_EQ(log->waiting()->front().id, all[0].id);
}

TEST_F(RunLogTest, RemovesTheOldestButNotThoseThatAreNotOver)
{
  Result<RunLog> log = open(5);
  std::vector<long long> ids;
  for (int i = 0; i < 10; ++i) {
    RunRecord record = *log->add(request("u"));
    ids.push_back(record.id);
    if (i > 0) { // the first one waits all the time
      record.state = RunState::finished;
      ASSERT_TRUE(log->finish(record, ""));
    }
  }
  ASSERT_TRUE(log->add(request("u")));
  const std::vector<RunRecord> left = *log->newest(100);
  EXPECT_EQ(left.size(), 6U);
  EXPECT_EQ(left.back().id, ids.front());
  EXPECT_EQ(left.back().state, RunState::waiting);
}

} // namespace faultline::serve
