#pragma once

#include "catalog/fault.hpp"
#include "proof/places.hpp"
#include "run/compiler.hpp"
#include "run/environment.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::proof {

// Why a run is part of a proof.
enum class Purpose {
  buggy,         // must fail, or pass in an environment that lacks the fault
  fixed,         // must pass
  swapped_buggy, // the buggy program under the name of the fixed one: must fail
  swapped_fixed, // the fixed program under the name of the buggy one: must pass
  empty,         // every file empty: must fail
  exits,         // every program file ends at once with success: must fail
  part_missing,  // all parts fixed but `which`: must fail
  alternative,   // the accepted alternative fix `which`: must pass
};

std::string_view name_of(Purpose purpose);

// One run of a fault's test.
struct PlannedRun {
  Purpose purpose;
  int seed = 0;
  size_t which = 0; // index of the part or of the accepted answer
  FileTree program;
  std::string environment;
};

// Every run that proves `fault` in `places`, with seeds 0 … repeat-1, or as many as its oracle
// needs.
Result<std::vector<PlannedRun>>
plan_proof(const catalog::Fault& fault, const Places& places, int repeat);

// The number of those seeds.
int seeds_of(const catalog::Fault& fault, int repeat);

// The vacuous programs: `program` reduced to doing nothing.
FileTree emptied(const FileTree& program);
FileTree exiting(const FileTree& program);

// The job that runs the test on `program`, named `version` in checkout.json. For a compiled program
// the binary is not in it yet.
Result<run::Job> test_job(const catalog::Fault& fault,
                          const FileTree& program,
                          catalog::Version version,
                          int seed,
                          const run::Environment& environment);

// If the job's program needs compiling, compile it and add the binary. If that fails, the failure
// is the outcome of the run.
std::optional<run::RunOutcome> add_binary(const catalog::Fault& fault,
                                          const FileTree& program,
                                          run::Job& job,
                                          run::Compiler& compiler,
                                          const run::StopFlag* stop = nullptr);

} // namespace faultline::proof
