#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace faultline::campaign {

struct SlurmConfig {
  std::filesystem::path folder; // of the campaign, shared by all nodes; logs go to folder/slurm
  // What a task executes, the number of its chunk appended: faultline campaign work --campaign
  // FOLDER --chunk K. It writes folder/chunks/K.jsonl, see chunk_file.hpp.
  std::vector<std::string> worker;
  std::string partition; // empty: the cluster's default
  size_t cpus_per_task = 1;
  std::string time_limit;           // of a task, as sbatch's --time; empty: the partition's
  std::vector<std::string> options; // more for sbatch
  size_t array_size = 200;          // tasks of one job array; clusters bound it (MaxArraySize)
  size_t at_once = 0;               // tasks that run at the same time; 0: as many as Slurm allows
  int tries = 5;                    // submissions of a task in a row that finished no run of it
  double poll_seconds = 2;          // between two looks at the queue
  double grace_seconds = 3;      // a task that has left the queue may show its last line this late
  double patience_seconds = 600; // how long Slurm may be silent, or refuse while nothing is queued
};

struct SlurmProgress {
  size_t done = 0;
  size_t running = 0;
  size_t pending = 0;
  size_t resubmitted = 0; // so far
  std::string trouble;    // what Slurm last refused and why; empty when all is well
};

// Runs tasks 0 … `tasks`-1 as job arrays until `is_done` holds for each. Only squeue and is_done
// tell how a task stands. A task that is neither queued nor done is submitted again: lost with its
// node, killed, failed. Gives up on a task that ends `tries` times without a new line in its
// chunk's file. What Slurm itself requeues is left to it. When the user interrupts, and on an
// error, queued tasks are cancelled; finished runs stay in their files. Stops early, without an
// error, when the user interrupts. Jobs that an earlier, killed call left in the queue are
// cancelled first.
Result<void> run_on_slurm(const SlurmConfig& config,
                          size_t tasks,
                          const std::function<bool(size_t)>& is_done,
                          const std::function<void(const SlurmProgress&)>& on_progress);

// Cancels what an earlier, killed call for this folder left in the queue and waits until it is
// gone, for at most so many seconds: until then it may still write to its files. Says nothing where
// Slurm does not answer: run_on_slurm will.
void cancel_leftovers(const std::filesystem::path& folder, double seconds);

// The script of a job array whose task I works on chunks[I].
std::string array_script(const std::vector<std::string>& worker, const std::vector<size_t>& chunks);

} // namespace faultline::campaign
