#include "run/process_tree.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace faultline::run {

// A child with two children of its own, all asleep.
static pid_t start_family()
{
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 2; ++i) {
      if (fork() == 0) {
        while (true) {
          pause();
        }
      }
    }
    while (true) {
      pause();
    }
  }
  for (int i = 0; i < 200 && process_tree(child).size() < 3; ++i) {
    usleep(5000);
  }
  return child;
}

TEST(ProcessTree, FindsDescendantsAndWhatTheyUse)
{
  const pid_t child = start_family();
  EXPECT_EQ(process_tree(child).size(), 3U);
  const TreeUse use = tree_use(child, 1UL << 30);
  EXPECT_EQ(use.processes, 2U); // the root does not count
  EXPECT_GT(use.memory_kib, 0U);
  kill_tree(child);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(process_tree(child).size(), 1U);
}

TEST(ProcessTree, CountsSharedMemoryOnceWhenItMatters)
{
  const pid_t child = start_family();
  const size_t plain = tree_use(child, 1UL << 30).memory_kib;
  const size_t shared = tree_use(child, 0).memory_kib;
  EXPECT_LT(shared, plain); // both children still share nearly everything with their parent
  kill_tree(child);
  waitpid(child, nullptr, 0);
}

} // namespace faultline::run
