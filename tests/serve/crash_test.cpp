// The whole server, sent a program whose analysis crashes on purpose.

#include "base/file.hpp"
#include "base/json.hpp"
#include "catalog/fault_fixture.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace faultline::serve {

class CrashTest : public catalog::ProjectTest {
protected:
  void SetUp() override
  {
    ProjectTest::SetUp();
    m_server = fork();
    if (m_server == 0) {
      setenv("FAULTLINE_HOME", (root() / "home").c_str(), 1);
      const std::string out = (root() / "out").string();
      if (std::freopen(out.c_str(), "w", stdout) != nullptr &&
          std::freopen("/dev/null", "w", stderr) != nullptr) {
        execl(FL_CRASHING_BINARY,
              FL_CRASHING_BINARY,
              "--root",
              root().c_str(),
              "serve",
              "--port",
              "0",
              nullptr);
      }
      _exit(127);
    }
    for (int i = 0; i < 6000 && m_port == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const Result<std::string> printed = read_file(root() / "out");
      const size_t at = printed ? printed->find("127.0.0.1:") : std::string::npos;
      m_port = at != std::string::npos ? std::atoi(printed->c_str() + at + 10) : 0;
    }
    ASSERT_NE(m_port, 0);
  }

  void TearDown() override
  {
    kill(m_server, SIGTERM);
    waitpid(m_server, nullptr, 0);
  }

  // Status and body.
  std::pair<int, std::string> check(const std::string& text) const
  {
    httplib::Client client("127.0.0.1", m_port);
    client.set_read_timeout(60);
    const auto reply = client.Post("/api/v1/check",
                                   {{"Origin", "http://127.0.0.1:" + std::to_string(m_port)}},
                                   print_json_compact({{"name", "a.py"}, {"text", text}}),
                                   "application/json");
    return reply ? std::pair(reply->status, reply->body) : std::pair(0, std::string());
  }

private:
  pid_t m_server = 0;
  int m_port = 0;
};

TEST_F(CrashTest, OfAnAnalysisIsOneErrorAndTheServerLives)
{
  const std::string good = "import numpy as np\nx = np.zeros((2, 3)).reshape((4, 2))\n";
  EXPECT_EQ(check(good).first, 200);
  const auto [status, body] = check("crash_on_purpose = 1\n");
  EXPECT_EQ(status, 500);
  EXPECT_EQ(parse_json(body)["error"]["message"], "analysis failed: the process crashed (SIGSEGV)");
  const auto [after, found] = check(good);
  EXPECT_EQ(after, 200);
  EXPECT_EQ(parse_json(found)["findings"].size(), 1U) << found;
}

TEST_F(CrashTest, OfManyAtOnceHindersNobody)
{
  std::atomic<int> crashed = 0;
  std::atomic<int> fine = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n) {
        const bool crashes = (i + n) % 2 == 0;
        const int status = check(crashes ? "crash_on_purpose = 1\n" : "x = 1\n").first;
        (crashes ? crashed : fine) += status == (crashes ? 500 : 200) ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  EXPECT_EQ(crashed, 15);
  EXPECT_EQ(fine, 15);
}

TEST_F(CrashTest, OrTakingAllMemoryIsRefused)
{
  const auto [status, body] = check("take_all_memory = 1\n");
  EXPECT_EQ(status, 500);
  EXPECT_EQ(parse_json(body)["error"]["message"],
            "analysis failed: the process needed more than 1024 MiB of memory");
  EXPECT_EQ(check("x = 1\n").first, 200);
}

} // namespace faultline::serve
