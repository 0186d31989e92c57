#include "run/isolated.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace faultline::run {

namespace {

// What the workers of these tests are asked to do.
std::string work(const std::string& request)
{
  if (request == "crash") {
    std::signal(SIGSEGV, SIG_DFL); // the sanitizers would catch it, and end in another way
    std::raise(SIGSEGV);
  }
  if (request == "hoard") {
    std::vector<std::string> hoard;
    while (true) {
      hoard.emplace_back(size_t{16} << 20U, 'x');
    }
  }
  if (request == "spin") {
    for (std::atomic<int> i = 0;; ++i) {
    }
  }
  if (request == "sleep") {
    std::this_thread::sleep_for(std::chrono::minutes(5));
  }
  if (request == "who") {
    return std::to_string(getpid());
  }
  return "did " + request;
}

std::string asked(Isolated& isolated, const std::string& request)
{
  const Result<std::string> answer = isolated.ask(request);
  return answer ? *answer : "error: " + answer.error().message;
}

} // namespace

TEST(Isolated, AnswersFromAnotherProcess)
{
  const auto isolated = Isolated::start(work);
  ASSERT_TRUE(isolated) << isolated.error().line();
  EXPECT_EQ(asked(**isolated, "this"), "did this");
  EXPECT_NE(asked(**isolated, "who"), std::to_string(getpid()));
  EXPECT_EQ(asked(**isolated, "who"), asked(**isolated, "who")); // it goes on with the same one
}

TEST(Isolated, SaysHowAWorkerDiedAndGoesOnWithAnother)
{
  IsolationLimits limits;
  limits.memory_bytes = size_t{256} << 20U;
  limits.cpu_seconds = 1;
  const auto isolated = Isolated::start(work, limits);
  ASSERT_TRUE(isolated) << isolated.error().line();
  EXPECT_EQ(asked(**isolated, "crash"), "error: the process crashed (SIGSEGV)");
  EXPECT_EQ(asked(**isolated, "spin"), "error: the process took more than 1 second of CPU time");
#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
  EXPECT_EQ(asked(**isolated, "hoard"), "error: the process needed more than 256 MiB of memory");
#endif
  EXPECT_EQ(asked(**isolated, "that"), "did that");
}

TEST(Isolated, EndsAWorkerThatWaitsForEver)
{
  IsolationLimits limits;
  limits.wall_seconds = 1;
  const auto isolated = Isolated::start(work, limits);
  ASSERT_TRUE(isolated) << isolated.error().line();
  EXPECT_EQ(asked(**isolated, "sleep"), "error: the process took longer than 1 second");
}

TEST(Isolated, ServesManyThreadsAndLargeMessages)
{
  const auto isolated = Isolated::start(work);
  ASSERT_TRUE(isolated) << isolated.error().line();
  std::atomic<size_t> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const bool crashes = (i + t) % 5 == 0;
        const std::string request = crashes ? "crash" : std::string(200'000, 'a' + (i % 20));
        const std::string answer = asked(**isolated, request);
        right += answer == (crashes ? "error: the process crashed (SIGSEGV)" : "did " + request);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(right, 160U);
}

// A worker that was killed while it waited is not blamed on whoever asks next.
TEST(Isolated, ReplacesAWorkerThatDiedWhileItWaited)
{
  const auto isolated = Isolated::start(work);
  ASSERT_TRUE(isolated) << isolated.error().line();
  const pid_t worker = std::stoi(asked(**isolated, "who"));
  kill(worker, SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(asked(**isolated, "this"), "did this");
}

} // namespace faultline::run
