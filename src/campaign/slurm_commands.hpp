#pragma once

// The four commands of Slurm that a campaign needs. Accounting (sacct) is not among them: many
// clusters have none.

#include "base/result.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline::campaign {

// One task of a job array, as the queue shows it.
struct QueuedTask {
  std::string state;  // "PENDING", "RUNNING", "COMPLETING", …
  std::string reason; // why it waits

  bool is_pending() const { return state == "PENDING"; }
  // Slurm gave up starting it and keeps it until an administrator acts.
  bool is_stuck() const;
};

// (job, index in its array) → task. What has ended is not in the queue.
using Queue = std::map<std::pair<std::string, size_t>, QueuedTask>;

// Our jobs, by their name. An error if the controller does not answer.
Result<Queue> read_queue(const std::string& job_name);

// The lines of `squeue --noheader --array --format "%F|%K|%T|%r"`; what is none of these is
// skipped.
Queue parse_queue(std::string_view lines);

// `sbatch` with these options and this script; the number of the job.
Result<std::string> submit(const std::vector<std::string>& options, const std::string& script);

// Whether a refusal of `submit` will be the same next time: a wrong partition, a wrong option.
bool is_permanent_refusal(std::string_view message);

// `scancel`; what has gone already is no error.
Result<void> cancel(const std::vector<std::string>& arguments);

} // namespace faultline::campaign
