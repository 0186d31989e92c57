#pragma once

// What a campaign.toml says.

#include "base/file.hpp"
#include "base/result.hpp"
#include "inject/operator.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace faultline::campaign {

// How a number is read from a run.
struct Metric {
  std::string name;
  std::string pattern; // a regular expression with one group; its last match in the log counts
  std::string json;    // or: a file that the program writes, relative to its working directory
  std::string key;     // and the key in it: "accuracy", "test.accuracy"
  std::optional<double> least; // outside of these the value is invalid
  std::optional<double> most;
  bool higher_is_better = true;
};

// Part of the program that belongs to a phase: a file, a function of it, or lines of it.
struct Region {
  std::string file;
  std::string function; // "train", "Net.forward"; empty: not by function
  std::optional<std::pair<size_t, size_t>> lines;
};

struct Phase {
  std::string name; // preprocessing, constructing, learning, or one's own
  std::vector<Region> regions;
};

// Files to inject into: the program's own, or those of an installed package.
struct Target {
  std::vector<std::string> files; // patterns below the program's folder; for a library: empty
  std::string library;            // "torch.nn", "torch.nn.functional"; empty: own files
  std::optional<size_t> per_file; // instead of the sampling's
};

struct Sampling {
  bool covered = true; // only lines that the clean run executes
  std::optional<size_t> per_file;
  // A random sample of all variants, large enough for this confidence level and interval.
  std::optional<double> confidence;
  std::optional<double> interval;
};

// How a campaign uses a Slurm cluster, with `executor = "slurm"` or `--executor slurm`:
//
//   [slurm]
//   partition          = "short"           # the cluster's default partition if not given
//   cpus_per_task      = 2                 # so many runs side by side in each task (1)
//   time_limit_minutes = 30                # of a task; the partition's limit if not given
//   array_size         = 500               # tasks of one job array, below MaxArraySize (200)
//   at_once            = 40                # tasks that run at the same time (what Slurm allows)
//   options            = ["--mem=4G"]      # more for sbatch, one word each
//
// The folders of the program, of the campaign and of Faultline must be seen by every node under
// the same path.
struct SlurmSettings {
  std::string partition;
  size_t cpus_per_task = 1;
  size_t time_limit_minutes = 0; // 0: the partition's
  size_t array_size = 200;
  size_t at_once = 0; // 0: as many as Slurm allows
  std::vector<std::string> options;
};

struct Spec {
  std::filesystem::path file; // it was read from
  std::string text;           // of it
  std::string name;
  std::filesystem::path folder;      // of the program
  std::vector<std::string> command;  // "{seed}" stands for the seed of the run
  std::vector<std::string> data;     // data sets by name
  std::string data_option;           // of the program, for a folder given with --data
  std::filesystem::path data_folder; // given with --data; empty otherwise
  std::string checkpoint; // "train.py:train_epoch": after each return of it the state is compared
  std::vector<Metric> metrics; // the first one decides between degraded and improved
  std::vector<Phase> phases;
  std::vector<Target> targets;
  std::vector<const inject::Operator*> operators;
  Sampling sampling;
  int clean_repeats = 10;
  int repeats = 1;
  double time_limit_factor = 5; // times the clean median
  size_t memory_mib = 2048;
  size_t workers = 0; // 0: one per core
  std::string executor = "local";
  SlurmSettings slurm;
  uint64_t seed = 1; // of the sampling; the run of repeat r has the seed `seed + r`
};

// Everything that can be seen to be wrong without running is refused, with file and line.
Result<Spec> load_spec(const std::filesystem::path& file);

enum class SpecChecks {
  all,
  text_only, // of a stored campaign, whose program may be gone by now
};
Result<Spec>
parse_spec(const std::string& text, const std::filesystem::path& file, SpecChecks checks);

} // namespace faultline::campaign
