#pragma once

#include "run/environment.hpp"
#include "run/interrupt.hpp"
#include "run/job.hpp"
#include "run/process_tree.hpp"
#include "run/runner.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace faultline::run {

// The machine as it is; found once for all tests of the process.
inline const Environment& machine()
{
  static const Environment k_machine = discover_environment(FL_SOURCE_DIR, {});
  return k_machine;
}

// A job that runs `code` as a Python script.
inline Job python_job(const std::string& code)
{
  Job job;
  job.files = {{"program/main.py", code}};
  job.directory = "program";
  job.command = {"python3", "main.py"};
  job.variables = program_variables(machine());
  job.mounts = program_mounts(machine());
  job.limits.wall_seconds = 10;
  job.limits.cpu_seconds = 20;
  job.limits.memory_mib = 512;
  return job;
}

// Processes of this machine whose command line contains `mark`.
inline int count_processes(const std::string& mark)
{
  int count = 0;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", code)) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    count += line.find(mark) != std::string::npos ? 1 : 0;
  }
  return count;
}

// How a job is started: each hostile program is tried both ways.
enum class Start { cold, warm };

inline RunOutcome run_as(Start start, Job job)
{
  job.warm = start == Start::warm ? WarmStart::python : WarmStart::none;
  if (start == Start::warm && !machine().python) {
    ADD_FAILURE() << "no python3 with torch: " << machine().missing("pytorch").value_or("");
  }
  static thread_local Runner runner({});
  return runner.run(job, machine());
}

} // namespace faultline::run
