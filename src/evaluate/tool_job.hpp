#pragma once

#include "evaluate/subject.hpp"
#include "evaluate/tool.hpp"
#include "run/environments.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace faultline::evaluate {

// Where our own tools come from: mounted read-only for those that use `{faultline}`.
struct OwnTools {
  std::filesystem::path binary; // of faultline
  std::filesystem::path data;   // with probes/ and taxonomy/
};

inline constexpr std::string_view k_own_binary = "/faultline/faultline";
// Seen from inside, a project without a single fault.
inline constexpr std::string_view k_own_root = "/faultline";

// What of our own data such a tool sees, and so what it can depend on: nothing that only campaigns
// or proofs use.
std::vector<run::Mount> own_mounts(const OwnTools& own);

// Why `tool` says nothing about `subject`; nothing if it applies.
std::optional<std::string> not_applicable(const Tool& tool, const Subject& subject);

// Where a tool is started on a program: in the tool's own environment, or, if it runs the program,
// in that one's.
const run::Environment&
environment_of(const Tool& tool, const Subject& subject, const run::Environments& environments);

// What a tool needs and `environment` lacks; nothing if it is installed.
std::optional<std::string> missing(const Tool& tool, const run::Environment& environment);

// The run of a tool on one version. The workspace holds the program and its data, and nothing of
// the other version, the labels or the test; neither version can be told by a name. What the tool
// prints comes back as the job's result, its standard error as the log. A compiled program's binary
// is not in it yet.
run::Job tool_job(const Tool& tool,
                  const Subject& subject,
                  catalog::Version version,
                  const run::Environment& environment,
                  const OwnTools& own);

// The words that a job of a tool starts it with, without what leads its output to us.
std::vector<std::string> shown_command(const run::Job& job);

// The run that asks a tool for its version.
run::Job version_job(const Tool& tool, const run::Environment& environment, const OwnTools& own);

} // namespace faultline::evaluate
