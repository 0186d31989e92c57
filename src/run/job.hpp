#pragma once

#include "base/file.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace faultline::run {

// The limits of a job. A job that exceeds one of them is stopped.
struct Limits {
  double wall_seconds = 30;
  double cpu_seconds = 60;
  size_t memory_mib = 1024; // resident, all processes together
  size_t processes = 64;    // at the same time, not counting threads
  size_t output_kib = 1024; // what it may print
  size_t disk_mib = 256;    // scratch space in memory, each of its folder, /tmp and /dev/shm
};

// A folder of the machine that the job can read.
struct Mount {
  std::filesystem::path host;
  std::string inside;
};

enum class WarmStart { none, python };

// Something to run: files, a command, limits. It knows nothing about faults.
struct Job {
  FileTree files;                           // become the job's folder
  std::set<std::string> executables;        // those of `files` that may be executed
  std::map<std::string, std::string> links; // symbolic links in the folder: path → target
  std::vector<std::string> command;
  std::string directory = "."; // working directory, relative to the folder
  std::map<std::string, std::string> variables;
  std::vector<Mount> mounts;
  std::filesystem::path system; // the root of another system to run in; empty for the machine's
  Limits limits;
  WarmStart warm = WarmStart::none; // may be forked from a server that has the framework loaded
  bool returns_result = false;      // collect what the job writes to $FAULTLINE_RESULT_FD
};

// The maximum size of a job's result.
inline constexpr size_t k_most_result = 256UL * 1024 * 1024;

} // namespace faultline::run
