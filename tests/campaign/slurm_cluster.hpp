#pragma once

// A real Slurm cluster of one node for each test, started by slurm_cluster.sh; where that cannot
// be, the test says so and is skipped.

#include "base/clock.hpp"
#include "base/file.hpp"
#include "run/capture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace faultline::campaign {

class SlurmCluster : public testing::Test {
protected:
  void SetUp() override
  {
    auto folder = TempDir::create();
    ASSERT_TRUE(folder);
    m_folder.emplace(*std::move(folder));
    const auto started = cluster("start");
    ASSERT_TRUE(started);
    if (started->status == 77) {
      GTEST_SKIP() << "no Slurm can be started here: " << started->output;
    }
    ASSERT_EQ(started->status, 0) << started->output;
    setenv("SLURM_CONF", (m_folder->path() / "cluster/slurm.conf").c_str(), 1);
  }

  void TearDown() override
  {
    if (m_folder) {
      act("stop");
    }
  }

  Result<run::Captured> cluster(const std::string& action) const
  {
    return run::capture({FL_SOURCE_DIR "/tests/campaign/slurm_cluster.sh",
                         action,
                         (m_folder->path() / "cluster").string()});
  }

  void act(const std::string& action) const
  {
    const auto acted = cluster(action);
    ASSERT_TRUE(acted);
    EXPECT_EQ(acted->status, 0) << action << ": " << acted->output;
  }

  static std::string output_of(const std::vector<std::string>& command)
  {
    const auto captured = run::capture(command);
    return captured ? captured->output : captured.error().line();
  }

  // Whether `holds` came true in time.
  static bool wait_until(const std::function<bool()>& holds, double seconds)
  {
    const double end = monotonic_seconds() + seconds;
    while (!holds()) {
      if (monotonic_seconds() > end) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
  }

  // Slurm has given the node up, and with it the tasks that ran on it.
  static bool wait_until_node_is_down()
  {
    return wait_until(
        [] {
          return output_of({"sinfo", "--noheader", "--format=%t"}).find("down") !=
                 std::string::npos;
        },
        90);
  }

  std::optional<TempDir> m_folder;
};

} // namespace faultline::campaign
