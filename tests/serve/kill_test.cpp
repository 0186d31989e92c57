// The whole program, killed while it reads the catalogue.

#include "catalog/entry_index.hpp"
#include "catalog/fault_fixture.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace faultline::serve {

namespace fs = std::filesystem;

class KillTest : public catalog::ProjectTest {
protected:
  static constexpr size_t k_faults = 1500;

  void SetUp() override
  {
    ProjectTest::SetUp();
    for (size_t i = 0; i < k_faults; ++i) {
      const std::string name = "n" + std::to_string(10'000 + i);
      write_fault(catalog::fault_named(name), "pytorch/" + name);
    }
  }

  // A server on the project; standard output goes to a file in its folder.
  pid_t start() const
  {
    const pid_t child = fork();
    if (child == 0) {
      setenv("FAULTLINE_HOME", (root() / "home").c_str(), 1);
      const std::string out = (root() / "out").string();
      if (std::freopen(out.c_str(), "w", stdout) != nullptr &&
          std::freopen("/dev/null", "w", stderr) != nullptr) {
        execl(FL_BINARY, FL_BINARY, "--root", root().c_str(), "serve", "--port", "0", nullptr);
      }
      _exit(127);
    }
    return child;
  }

  // How many entries the index has; nothing yet if it cannot be opened.
  size_t entries() const
  {
    const Result<std::unique_ptr<catalog::EntryIndex>> index =
        catalog::EntryIndex::open(root() / "home/entries.sqlite");
    return index ? (*index)->size() : 0;
  }
};

TEST_F(KillTest, AnIndexThatWasCutShortIsCompletedByTheNextStart)
{
  const pid_t child = start();
  for (int i = 0; i < 3000 && !fs::exists(root() / "home/entries.sqlite"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  size_t kept = 0;
  for (int i = 0; i < 3000 && kept == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kept = entries();
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  kept = entries();
  EXPECT_GT(kept, 0U);

  Result<std::unique_ptr<catalog::EntryIndex>> index =
      catalog::EntryIndex::open(root() / "home/entries.sqlite");
  ASSERT_TRUE(index) << index.error().line();
  const Result<catalog::RefreshReport> report =
      (*index)->refresh(root(), catalog::project_schemes(), {});
  ASSERT_TRUE(report) << report.error().line();
  EXPECT_EQ(report->read, k_faults - kept) << "what was kept is whole and is not read again";
  EXPECT_EQ((*index)->size(), k_faults);
  catalog::EntryQuery query;
  query.words = "optimizer";
  EXPECT_EQ((*index)->query(query)->total, k_faults);
}

} // namespace faultline::serve
