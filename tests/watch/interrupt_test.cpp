// A user interrupts a run that is watched. The program notes every interrupt it gets, takes a while
// to save its work, and notes that too.

#include "base/file.hpp"
#include "base/text.hpp"
#include "watch/session.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace faultline::watch {

namespace {

constexpr int k_interrupted = 50; // what the watching process says, with the program's status

class Interrupted : public testing::Test {
protected:
  void SetUp() override
  {
    Result<TempDir> made = TempDir::create();
    ASSERT_TRUE(made);
    m_place.emplace(std::move(*made));
  }

  // In a session of its own, as from another terminal. `before` stands before the command.
  void start(const std::vector<std::string>& before = {})
  {
    m_pid = fork();
    if (m_pid == 0) {
      setsid();
      Order order;
      order.command = before;
      order.command.insert(order.command.end(), {"bash", "-c", script()});
      order.probes = "/nowhere";
      const Result<Outcome> outcome = watch(order, {});
      _exit(outcome ? outcome->status.value_or(40) + (outcome->interrupted ? k_interrupted : 0)
                    : 99);
    }
    wait_for("ready\n");
  }

  void wait_for(const std::string& text)
  {
    for (int i = 0; i < 500 && log() != text; ++i) {
      usleep(20000);
    }
    ASSERT_EQ(log(), text);
  }

  int end()
  {
    int status = 0;
    waitpid(m_pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string log() const
  {
    const Result<std::string> text = read_file(m_place->path() / "log");
    return text ? *text : std::string();
  }

  // `sleep` is a child: an interrupt waits until it ends, so that it must be short.
  std::string script() const
  {
    return replace_all(R"(
trap 'echo interrupt >>LOG; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; echo saved >>LOG; exit 5' INT
trap 'echo terminate >>LOG; exit 6' TERM
echo ready >LOG
while true; do sleep 0.05; done)",
                       "LOG",
                       "'" + (m_place->path() / "log").string() + "'");
  }

  pid_t m_pid = 0;
  std::optional<TempDir> m_place;
};

} // namespace

TEST_F(Interrupted, AProgramThatGotItFromTheTerminalIsNotToldAgain)
{
  start();
  kill(-m_pid, SIGINT);
  EXPECT_EQ(end(), k_interrupted + 5);
  EXPECT_EQ(log(), "ready\ninterrupt\nsaved\n");
}

TEST_F(Interrupted, OneThatOnlyWeGotIsPassedOn)
{
  start();
  kill(m_pid, SIGINT);
  EXPECT_EQ(end(), k_interrupted + 5);
  EXPECT_EQ(log(), "ready\ninterrupt\nsaved\n");
}

TEST_F(Interrupted, TheProgramGetsTheSameSignal)
{
  start();
  kill(m_pid, SIGTERM);
  EXPECT_EQ(end(), k_interrupted + 6);
  EXPECT_EQ(log(), "ready\nterminate\n");
}

TEST_F(Interrupted, AProgramInAnotherGroupIsToldToo)
{
  start({"setsid"});
  kill(-m_pid, SIGINT);
  EXPECT_EQ(end(), k_interrupted + 5);
  EXPECT_EQ(log(), "ready\ninterrupt\nsaved\n");
}

// As `timeout` does.
TEST_F(Interrupted, ToTheProcessAndToItsGroupIsOnce)
{
  start();
  kill(m_pid, SIGINT);
  kill(-m_pid, SIGINT);
  EXPECT_EQ(end(), k_interrupted + 5);
  EXPECT_EQ(log(), "ready\ninterrupt\nsaved\n");
}

TEST_F(Interrupted, TheSecondKillsTheProgram)
{
  start();
  kill(m_pid, SIGINT);
  wait_for("ready\ninterrupt\n");
  usleep(300000); // later than what counts as the same
  kill(m_pid, SIGINT);
  EXPECT_EQ(end(), k_interrupted + 128 + SIGKILL);
  EXPECT_EQ(log(), "ready\ninterrupt\n");
}

} // namespace faultline::watch
