// A whole campaign on a real Slurm cluster of one node, whose node and whose leader die in the
// middle, against the same campaign on this machine.

#include "base/format.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "campaign/chunk_file.hpp"
#include "campaign/slurm_cluster.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>

namespace faultline::campaign {

namespace fs = std::filesystem;

class SlurmCampaign : public SlurmCluster {
protected:
  void TearDown() override
  {
    if (m_leader > 0) {
      kill(m_leader, SIGKILL);
      waitpid(m_leader, nullptr, 0);
    }
    SlurmCluster::TearDown();
  }

  // The hostile subject without its hostility: 200 changes that matter to nothing, and those of the
  // training itself, which matter.
  void write_subject() const
  {
    std::error_code code;
    fs::copy(fs::path(FL_TEST_DATA) / "campaign/hostile", subject(), code);
    ASSERT_FALSE(code) << code.message();
    const Result<std::string> text = read_file(subject() / "campaign.toml");
    ASSERT_TRUE(text);
    const std::string own =
        replace_all(*text, R"(["switches.py", "harmless.py"])", R"(["harmless.py", "train.py"])") +
        "\n[slurm]\npartition = \"test\"\narray_size = 15\nat_once = 4\n"
        "time_limit_minutes = 10\noptions = [\"--nice=0\"]\n";
    ASSERT_NE(own.find("\"train.py\"]\n\n[sampling]"), std::string::npos);
    ASSERT_TRUE(write_file(subject() / "campaign.toml", own));
  }

  fs::path subject() const { return m_folder->path() / "the subject"; }
  fs::path local() const { return m_folder->path() / "local"; }
  fs::path shared() const { return m_folder->path() / "shared folder"; }
  fs::path output_file() const { return m_folder->path() / "leader.out"; }

  static std::string faultline(std::vector<std::string> arguments, int wanted = 0)
  {
    arguments.insert(arguments.begin(), {FL_BINARY, "--root", FL_SOURCE_DIR, "campaign"});
    const Result<run::Captured> captured = run::capture(arguments);
    EXPECT_TRUE(captured) << captured.error().line();
    EXPECT_EQ(captured->status, wanted) << join(arguments, " ") << "\n" << captured->output;
    return captured->output;
  }

  // `faultline campaign run --executor slurm`, which goes on while the test does its worst.
  void start_leader()
  {
    const std::string file = (subject() / "campaign.toml").string();
    const std::string out = shared().string();
    const std::string output = output_file().string();
    m_leader = fork();
    if (m_leader == 0) {
      const int fd = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(fd, STDOUT_FILENO);
      dup2(fd, STDERR_FILENO);
      execl(FL_BINARY,
            FL_BINARY,
            "--root",
            FL_SOURCE_DIR,
            "campaign",
            "run",
            file.c_str(),
            "--executor",
            "slurm",
            "--out",
            out.c_str(),
            nullptr);
      _exit(127);
    }
  }

  bool leader_has_ended()
  {
    if (m_leader > 0 && waitpid(m_leader, nullptr, WNOHANG) == m_leader) {
      m_leader = -1;
    }
    return m_leader < 0;
  }

  std::string said_by_leader() const
  {
    const Result<std::string> text = read_file(output_file());
    return text ? *text : text.error().line();
  }

  struct Progress {
    size_t chunks = 0;
    size_t done = 0;  // of them
    size_t lines = 0; // in all of them: finished runs
  };
  Progress progress() const
  {
    Progress sum;
    std::error_code code;
    while (fs::exists(shared() / "chunks" / format("{}.todo", sum.chunks), code)) {
      if (const Result<ChunkContent> content = read_chunk(shared(), sum.chunks)) {
        sum.done += content->done ? 1 : 0;
        sum.lines += content->lines.size();
      }
      ++sum.chunks;
    }
    return sum;
  }

  // So many are done, and the leader is there to go on.
  bool wait_for_chunks(size_t count)
  {
    wait_until([&] { return progress().done >= count || leader_has_ended(); }, 90);
    return progress().done >= count && !leader_has_ended();
  }

  // Variant → symptom, crash and metrics: everything that does not depend on how busy the machine
  // is. Exactly one for each variant.
  std::map<std::string, std::string> outcomes_of(const fs::path& folder) const
  {
    const fs::path file = folder / "export.jsonl";
    faultline({"export", folder.string(), "--jsonl", "--output", file.string()});
    const Result<std::string> text = read_file(file);
    std::map<std::string, std::string> outcomes;
    for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
      const Json record = parse_json(line);
      const std::string variant = record.at("variant").get<std::string>();
      if (variant.empty()) {
        continue; // a clean run
      }
      std::string symptom = record.at("symptom").get<std::string>();
      if (symptom == "slower" || symptom == "faster") {
        symptom = "normal";
      }
      const std::string outcome =
          format("{} {} {}", symptom, record.at("metrics").dump(), record.at("crash").dump());
      EXPECT_TRUE(outcomes.emplace(variant, outcome).second) << variant << " has two outcomes";
    }
    return outcomes;
  }

  pid_t m_leader = -1;
};

TEST_F(SlurmCampaign, ends_as_the_local_one_although_node_and_leader_die)
{
  write_subject();
  faultline(
      {"run", (subject() / "campaign.toml").string(), "--workers", "2", "--out", local().string()});
  const std::map<std::string, std::string> expected = outcomes_of(local());
  ASSERT_GE(expected.size(), 200U);
  size_t abnormal = 0;
  for (const auto& [variant, outcome] : expected) {
    abnormal += outcome.starts_with("normal") ? 0 : 1;
  }
  EXPECT_GT(abnormal, 3U) << "nothing to be told apart";

  start_leader();
  ASSERT_GT(m_leader, 0);
  // The node dies with all that runs on it, Slurm gives it up, and it comes back.
  ASSERT_TRUE(wait_for_chunks(2)) << said_by_leader();
  act("crash-node");
  const Progress crashed = progress();
  EXPECT_LT(crashed.done, crashed.chunks) << "too late";
  ASSERT_TRUE(wait_until_node_is_down());
  EXPECT_EQ(progress().lines, crashed.lines) << "something still runs on the dead node";
  act("start-node");
  // The same leader goes on, until it dies as well, its tasks in the queue.
  ASSERT_TRUE(wait_for_chunks(crashed.done + 4)) << said_by_leader();
  EXPECT_LT(progress().done, crashed.chunks) << "too late";
  ASSERT_EQ(kill(m_leader, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(m_leader, &status, 0), m_leader);
  m_leader = -1;
  ASSERT_TRUE(WIFSIGNALED(status)) << said_by_leader();
  EXPECT_NE(output_of({"squeue", "--noheader"}), "");

  const std::string resumed = faultline({"resume", shared().string()});
  EXPECT_NE(resumed.find(format("{} of {} runs: ", expected.size(), expected.size())),
            std::string::npos)
      << resumed;
  EXPECT_EQ(outcomes_of(shared()), expected);
  EXPECT_EQ(output_of({"squeue", "--noheader", "--states=PENDING,RUNNING"}), "");
}

} // namespace faultline::campaign
