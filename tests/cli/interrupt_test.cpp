// Faultline itself is stopped in the middle: nothing keeps running, nothing finished is lost.

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/sqlite.hpp"
#include "run/capture.hpp"
#include "run/process_tree.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace faultline {

namespace {

// `faultline verify` on a small catalogue with so many seeds that it takes a while.
class RunningVerify {
public:
  RunningVerify()
  {
    setenv("FAULTLINE_HOME", (m_place->path() / "home").c_str(), 1);
    m_pid = fork();
    if (m_pid == 0) {
      const int null = open("/dev/null", O_RDWR);
      dup2(null, STDOUT_FILENO);
      dup2(null, STDERR_FILENO);
      execl(FL_BINARY, "faultline", "--root", k_root, "verify", "--repeat", "60", nullptr);
      _exit(127);
    }
  }

  // Wait until some outcomes are in the store.
  void wait_for_outcomes(long long least)
  {
    for (int i = 0; i < 600 && stored() < least; ++i) {
      usleep(50000);
    }
    ASSERT_GE(stored(), least);
    m_family = run::process_tree(m_pid);
    ASSERT_GT(m_family.size(), 2U) << "a sandbox is up";
  }

  int stop(int signal)
  {
    kill(m_pid, signal);
    int status = 0;
    waitpid(m_pid, &status, 0);
    return status;
  }

  // How many of the processes that were there before the stop still are, once they had time to go.
  size_t survivors() const
  {
    size_t alive = 0;
    for (int i = 0; i < 100; ++i) {
      alive = 0;
      for (const pid_t pid : m_family) {
        alive += kill(pid, 0) == 0 ? 1 : 0;
      }
      if (alive == 0) {
        break;
      }
      usleep(50000);
    }
    return alive;
  }

  long long stored() const
  {
    Result<Database> database = Database::open(m_place->path() / "home/store.sqlite");
    if (!database) {
      return 0;
    }
    Result<Statement> count = database->prepare("SELECT count(*) FROM outcome");
    return count && count->step() ? count->integer(0) : 0;
  }

  std::string integrity() const
  {
    Result<Database> database = Database::open(m_place->path() / "home/store.sqlite");
    Result<Statement> check = database->prepare("PRAGMA integrity_check");
    return check && check->step() ? check->text(0) : "cannot check";
  }

  // The same command to its end.
  Json finish() const
  {
    const Result<run::Captured> captured = run::capture(
        {"bash",
         "-c",
         std::string(FL_BINARY) + " --root " + k_root + " verify --repeat 60 --json 2>/dev/null"});
    return captured ? parse_json(captured->output) : Json();
  }

private:
  static constexpr const char* k_root = FL_TEST_DATA "/small";

  Result<TempDir> m_place = TempDir::create();
  pid_t m_pid = 0;
  std::vector<pid_t> m_family;
};

} // namespace

TEST(Interrupt, KilledOutrightItLeavesNothingRunningAndTheStoreWhole)
{
  RunningVerify verify;
  verify.wait_for_outcomes(8);
  const int status = verify.stop(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(verify.survivors(), 0U);
  EXPECT_EQ(verify.integrity(), "ok");
  const long long kept = verify.stored();
  EXPECT_GE(kept, 8);
  const Json report = verify.finish();
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["summary"]["proved"], 1);
  EXPECT_EQ(report["summary"]["runs"], 124);
  EXPECT_EQ(report["summary"]["fresh_runs"], 124 - kept) << "what was finished is not run again";
}

TEST(Interrupt, AskedToStopItEndsInOrder)
{
  RunningVerify verify;
  verify.wait_for_outcomes(4);
  const int status = verify.stop(SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(verify.survivors(), 0U);
  EXPECT_EQ(verify.integrity(), "ok");
}

} // namespace faultline
