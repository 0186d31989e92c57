// Job arrays and what a worker of them writes, on a real cluster of one node.

#include "base/file.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "campaign/chunk_file.hpp"
#include "campaign/slurm.hpp"
#include "campaign/slurm_cluster.hpp"
#include "campaign/slurm_commands.hpp"
#include "run/capture.hpp"
#include "run/interrupt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <map>
#include <optional>
#include <thread>

namespace faultline::campaign {

using testing::HasSubstr;

TEST(SlurmQueue, is_read_from_squeue)
{
  const Queue queue = parse_queue("slurm_load_jobs: a warning\n"
                                  "7|0|RUNNING|None\n"
                                  "7|12|PENDING|launch failed requeued held\n"
                                  "8|N/A|RUNNING|None\n"
                                  "9|3|PENDING|JobHeldUser\n");
  ASSERT_EQ(queue.size(), 3u);
  EXPECT_FALSE(queue.at({"7", 0}).is_pending());
  EXPECT_TRUE(queue.at({"7", 12}).is_stuck());
  EXPECT_FALSE(queue.at({"9", 3}).is_stuck());
}

TEST(SlurmScript, gives_a_task_its_chunk)
{
  const std::string script = array_script({"printf", "%s/%s", "it's"}, {5, 17, 1200});
  setenv("SLURM_ARRAY_TASK_ID", "2", 1);
  const auto printed = run::capture({"sh", "-c", script});
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->output, "it's/1200");
}

TEST(ChunkFile, goes_on_after_a_kill)
{
  const auto folder = TempDir::create();
  ASSERT_TRUE(folder);
  {
    auto file = ChunkFile::open(folder->path(), 3);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append(R"({"run":1})"));
  }
  const std::string half = *read_file(chunk_path(folder->path(), 3)) + R"({"ru)";
  ASSERT_TRUE(write_file(chunk_path(folder->path(), 3), half));
  EXPECT_EQ(read_chunk(folder->path(), 3)->lines, std::vector<std::string>{R"({"run":1})"});
  auto file = ChunkFile::open(folder->path(), 3);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->lines(), std::vector<std::string>{R"({"run":1})"});
  EXPECT_FALSE(file->is_done());
  ASSERT_TRUE(file->append(R"({"run":2})"));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(*read_file(chunk_path(folder->path(), 3)),
            "{\"run\":1}\n{\"run\":2}\n{\"done\":true}\n");
  EXPECT_TRUE(read_chunk(folder->path(), 3)->done);
  EXPECT_FALSE(read_chunk(folder->path(), 4)->done);
}

TEST(ChunkFile, has_one_writer_at_a_time)
{
  const auto folder = TempDir::create();
  ASSERT_TRUE(folder);
  std::optional<Result<ChunkFile>> first = ChunkFile::open(folder->path(), 0);
  std::thread second([&] {
    const auto file = ChunkFile::open(folder->path(), 0);
    EXPECT_EQ(file->lines().size(), 1u);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  // Reading takes no lock away.
  EXPECT_TRUE(read_chunk(folder->path(), 0));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_TRUE((*first)->append("{}"));
  first.reset();
  second.join();
}

class Slurm : public SlurmCluster {
protected:
  void SetUp() override
  {
    SlurmCluster::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    m_config.folder = m_folder->path() / "shared folder";
    m_config.worker = worker(4, 0.1);
    m_config.poll_seconds = 0.5;
    m_config.grace_seconds = 1;
    m_config.patience_seconds = 60;
    m_config.array_size = 20;
  }

  // A chunk has begun and waits at its gate, or is to be begun again.
  bool is_any_held(size_t tasks) const
  {
    for (size_t chunk = 16; chunk < tasks; ++chunk) {
      const auto content = read_chunk(m_config.folder, chunk);
      if (content && !content->lines.empty() && !content->done) {
        return true;
      }
    }
    return false;
  }

  void open_gate(int chunk) const
  {
    EXPECT_TRUE(write_file(m_config.folder / format("gate-{}", chunk), ""));
  }

  std::vector<std::string> worker(int runs, double seconds, const std::string& gates = "") const
  {
    return {"python3",
            FL_SOURCE_DIR "/tests/campaign/slurm_worker.py",
            m_config.folder.string(),
            std::to_string(runs),
            format("{}", seconds),
            gates};
  }

  Result<void> run(size_t tasks, const std::function<void(const SlurmProgress&)>& on_progress) const
  {
    return run_on_slurm(
        m_config,
        tasks,
        [this](size_t chunk) {
          const auto content = read_chunk(m_config.folder, chunk);
          return content && content->done;
        },
        on_progress);
  }

  // How often each run was done.
  std::map<int, int> counts(size_t tasks) const
  {
    std::map<int, int> counts;
    for (size_t chunk = 0; chunk < tasks; ++chunk) {
      const auto content = read_chunk(m_config.folder, chunk);
      EXPECT_TRUE(content && content->done) << chunk;
      for (const std::string& line : content->lines) {
        ++counts[parse_json(line).at("run").get<int>()];
      }
    }
    return counts;
  }

  static void expect_each_once(const std::map<int, int>& counts, size_t runs)
  {
    EXPECT_EQ(counts.size(), runs);
    for (const auto& [number, count] : counts) {
      EXPECT_EQ(count, 1) << "run " << number;
    }
  }

  SlurmConfig m_config;
};

TEST_F(Slurm, does_each_run_once_although_its_node_dies)
{
  // From chunk 16, 32 and 44 on, chunks wait until we did our worst to them while they run.
  m_config.worker = worker(4, 0.05, "16,32,44");
  int step = 0;
  size_t resubmitted = 0;
  const auto result = run(50, [&](const SlurmProgress& progress) {
    resubmitted = progress.resubmitted;
    if (step == 0 && progress.running > 0 && is_any_held(50)) {
      // Tasks that vanish from the queue for a reason of their own.
      EXPECT_EQ(output_of({"scancel", "--state=RUNNING", "--partition=test"}), "");
      open_gate(16);
      step = 1;
    } else if (step == 1 && progress.running > 0 && is_any_held(50)) {
      // The daemon dies, what it started goes on, and Slurm gives the node up.
      act("kill-node");
      EXPECT_TRUE(wait_until_node_is_down()) << "Slurm does not notice that the node is gone";
      act("start-node");
      open_gate(32);
      step = 2;
    } else if (step == 2 && progress.running > 0 && is_any_held(50)) {
      // The node dies with all that runs on it, and comes back at once.
      act("crash-node");
      act("start-node");
      open_gate(44);
      step = 3;
    }
  });
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(step, 3) << "not everything was tried";
  EXPECT_GT(resubmitted, 0u);
  expect_each_once(counts(50), 200);
}

TEST_F(Slurm, waits_while_it_is_refused)
{
  EXPECT_EQ(output_of({"scontrol", "update", "partition=test", "state=inactive"}), "");
  m_config.partition = "test";
  m_config.at_once = 4;
  m_config.array_size = 6;
  m_config.worker = worker(4, 0.05, "4");
  int step = 0;
  size_t most = 0;
  const auto result = run(12, [&](const SlurmProgress& progress) {
    most = std::max(most, progress.running);
    if (step == 0 && !progress.trouble.empty()) {
      output_of({"scontrol", "update", "partition=test", "state=up"});
      step = 1;
    } else if (step == 1 && progress.done >= 2) {
      act("kill-controller");
      step = 2;
    } else if (step == 2 && !progress.trouble.empty()) {
      act("start-controller");
      open_gate(4);
      step = 3;
    }
  });
  ASSERT_TRUE(result) << result.error().line();
  EXPECT_EQ(step, 3) << "not everything was tried";
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 4u);
  expect_each_once(counts(12), 48);
}

TEST_F(Slurm, names_a_task_that_never_succeeds)
{
  m_config.worker = {
      "sh", "-c", "test $0 = 2 && echo no luck || echo '{\"done\":true}' > chunks/$0.jsonl"};
  m_config.tries = 2;
  m_config.grace_seconds = 0;
  const auto result = run(3, [](const SlurmProgress&) {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().line(),
              HasSubstr("task 2 ended 2 times without finishing a run (no luck)"));
  EXPECT_THAT(result.error().line(), HasSubstr("shared folder/slurm/"));
  EXPECT_TRUE(read_chunk(m_config.folder, 0)->done);

  m_config.partition = "nowhere";
  const auto refused = run(3, [](const SlurmProgress&) {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().line(), HasSubstr("Slurm does not take the job: "));
  EXPECT_THAT(refused.error().line(), HasSubstr("nvalid partition"));
}

TEST_F(Slurm, cancels_what_is_queued_when_interrupted)
{
  m_config.worker = worker(1, 60);
  const pid_t leader = fork();
  ASSERT_GE(leader, 0);
  if (leader == 0) {
    run::catch_interrupts();
    const auto result = run(12, [](const SlurmProgress& progress) {
      if (progress.running > 0) {
        std::raise(SIGINT);
      }
    });
    _exit(result && run::interrupted() ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(leader, &status, 0), leader);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
  wait_until([] { return output_of({"squeue", "--noheader"}).empty(); }, 20);
  EXPECT_EQ(output_of({"squeue", "--noheader"}), "");
}

TEST_F(Slurm, cancels_what_a_killed_leader_left)
{
  m_config.worker = worker(1, 60);
  const pid_t leader = fork();
  ASSERT_GE(leader, 0);
  if (leader == 0) {
    (void)run(12, [](const SlurmProgress& progress) {
      if (progress.running > 0) {
        std::raise(SIGKILL);
      }
    });
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(leader, &status, 0), leader);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_NE(output_of({"squeue", "--noheader"}), "");
  m_config.worker = worker(1, 0);
  const auto result = run(12, [](const SlurmProgress&) {});
  ASSERT_TRUE(result) << result.error().line();
  expect_each_once(counts(12), 12);
}

} // namespace faultline::campaign
