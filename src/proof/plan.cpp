#include "proof/plan.hpp"

#include "base/format.hpp"
#include "catalog/checkout.hpp"

#include <algorithm>

namespace faultline::proof {

using catalog::Fault;
using catalog::Version;

std::string_view name_of(Purpose purpose)
{
  switch (purpose) {
  case Purpose::buggy:
    return "buggy";
  case Purpose::fixed:
    return "fixed";
  case Purpose::swapped_buggy:
    return "swapped-buggy";
  case Purpose::swapped_fixed:
    return "swapped-fixed";
  case Purpose::empty:
    return "empty-program";
  case Purpose::exits:
    return "exits-at-once";
  case Purpose::part_missing:
    return "part-missing";
  case Purpose::alternative:
    return "alternative-fix";
  }
  return "?";
}

int seeds_of(const Fault& fault, int repeat)
{
  return std::max(repeat, fault.oracle.statistical ? fault.oracle.statistical->seeds : 1);
}

FileTree emptied(const FileTree& program)
{
  FileTree files;
  for (const auto& [path, content] : program) {
    files[path] = "";
  }
  return files;
}

FileTree exiting(const FileTree& program)
{
  FileTree files;
  for (const auto& [path, content] : program) {
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    files[path] = ending == ".py"    ? "import sys\n\nsys.exit(0)\n"
                  : ending == ".js"  ? "process.exit(0);\n"
                  : ending == ".cpp" ? "int main() { return 0; }\n"
                                     : content;
  }
  return files;
}

// The runs in one environment that are made with every seed.
static Result<void> plan_seeds(const Fault& fault,
                               const FileTree& fixed,
                               int seeds,
                               const std::string& environment,
                               std::vector<PlannedRun>& runs)
{
  for (int seed = 0; seed < seeds; ++seed) {
    runs.push_back({Purpose::buggy, seed, 0, fault.program, environment});
    runs.push_back({Purpose::fixed, seed, 0, fixed, environment});
    if (fault.parts.size() > 1) {
      for (size_t i = 0; i < fault.parts.size(); ++i) {
        FL_TRY(FileTree program, catalog::program_without_fix(fault, fault.parts[i]));
        runs.push_back({Purpose::part_missing, seed, i, std::move(program), environment});
      }
    }
    for (size_t i = 0; i < fault.accepted.size(); ++i) {
      if (fault.accepted[i].patch) {
        FL_TRY(FileTree program, catalog::program_with(fault, fault.accepted[i]));
        runs.push_back({Purpose::alternative, seed, i, std::move(program), environment});
      }
    }
  }
  return {};
}

Result<std::vector<PlannedRun>> plan_proof(const Fault& fault, const Places& places, int repeat)
{
  FL_TRY(const FileTree fixed, catalog::program_of(fault, Version::fixed));
  // The swapped runs start from the other end: the buggy program is the fixed one with the fix
  // taken back. That it comes out the same to the byte is part of the proof.
  const source::Patch fix = source::make_patch(fault.program, fixed);
  FL_TRY(FileTree buggy_again, source::apply_patch(source::reverse(fix), fixed));

  std::vector<PlannedRun> runs;
  const int seeds = seeds_of(fault, repeat);
  for (const std::string& environment : places.proved_in) {
    FL_CHECK(plan_seeds(fault, fixed, seeds, environment, runs));
  }
  for (const std::string& environment : places.absent_in) {
    for (int seed = 0; seed < seeds; ++seed) {
      runs.push_back({Purpose::buggy, seed, 0, fault.program, environment});
      runs.push_back({Purpose::fixed, seed, 0, fixed, environment});
    }
  }
  // Whether a test is vacuous does not depend on versions.
  const std::string& first = places.proved_in.front();
  runs.push_back({Purpose::swapped_buggy, 0, 0, std::move(buggy_again), first});
  runs.push_back({Purpose::swapped_fixed, 0, 0, fixed, first});
  runs.push_back({Purpose::empty, 0, 0, emptied(fault.program), first});
  runs.push_back({Purpose::exits, 0, 0, exiting(fault.program), first});
  return runs;
}

Result<run::Job> test_job(const Fault& fault,
                          const FileTree& program,
                          Version version,
                          int seed,
                          const run::Environment& environment)
{
  FL_TRY(catalog::Layout layout, catalog::lay_out(fault, program, version, environment.probes));
  run::Job job;
  job.files = std::move(layout.files);
  for (const auto& [path, name] : layout.data_links) {
    job.links[path] = run::data_mount(name);
  }
  if (fault.framework == "tfjs") {
    job.links["node_modules"] = std::string(run::k_modules_mount);
  }
  job.command = fault.run.test;
  job.directory = "program";
  run::place_in(environment, job);
  job.variables["FAULTLINE_SEED"] = format("{}", seed);
  job.limits.wall_seconds = fault.run.timeout_seconds;
  job.limits.cpu_seconds = fault.run.timeout_seconds * 2;
  job.limits.memory_mib = fault.run.memory_mib;
  job.returns_result = true; // the verdict
  const bool is_python = fault.language() == "python";
  job.warm = is_python ? run::WarmStart::python : run::WarmStart::none;
  return job;
}

std::optional<run::RunOutcome> add_binary(const Fault& fault,
                                          const FileTree& program,
                                          run::Job& job,
                                          run::Compiler& compiler,
                                          const run::StopFlag* stop)
{
  if (!fault.run.compile) {
    return std::nullopt;
  }
  const run::Compiler::Compiled compiled =
      compiler.compile({program, fault.run.compile->sources, fault.run.compile->output}, stop);
  if (const auto* failed = std::get_if<run::RunOutcome>(&compiled)) {
    run::RunOutcome outcome = *failed;
    outcome.log = "the program does not compile\n" + outcome.log;
    return outcome;
  }
  const std::string path = "program/" + fault.run.compile->output;
  job.files[path] = std::get<std::string>(compiled);
  job.executables.insert(path);
  return std::nullopt;
}

} // namespace faultline::proof
