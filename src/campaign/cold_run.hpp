#pragma once

// A run from nothing: a sandbox, an interpreter, the program in it. What every other way to run a
// variant must agree with.

#include "base/json.hpp"
#include "campaign/engine.hpp"
#include "run/job.hpp"

#include <map>
#include <mutex>

namespace faultline::campaign {

// A clean run that takes longer than this is given up.
inline constexpr double k_clean_limit_seconds = 900;

// The seed of the run of `repeat`, and the command's words with it, the data's option appended.
uint64_t seed_of(const Spec& spec, int repeat);
std::vector<std::string> command_of(const Spec& spec, int repeat);

// A job whose folder has the program in `program/` (the working directory) and a probe with its
// setup beside it in `faultline/`: `python3 ../faultline/PROBE ../faultline/setup.json SCRIPT …`.
// Variables, mounts and limits are those of every run of the campaign.
Result<run::Job> program_job(const Spec& spec,
                             const run::Environment& environment,
                             const FileTree& program,
                             const std::string& probe,
                             const Json& setup,
                             int repeat,
                             double limit_seconds);

// What an outcome of `probes/campaign_run.py` says. An error if the machine failed or the user
// interrupted: neither is a result.
Result<Observed>
observe(const Spec& spec, const run::RunOutcome& outcome, const std::string& variant, int repeat);

// The original texts that variants change: the program's own files, and library files as they are
// installed, each package looked up once. Safe to use from several threads.
class Originals {
public:
  static Result<Originals> read(const Spec& spec, const run::Environment& environment);
  Originals(Originals&& other) noexcept;

  const FileTree& program() const { return m_program; }
  Result<std::string> original_of(const inject::Variant& variant);
  Result<std::string> changed_text_of(const inject::Variant& variant);

private:
  Originals(FileTree program, const run::Environment& environment)
      : m_program(std::move(program)), m_environment(&environment)
  {
  }

  FileTree m_program;
  const run::Environment* m_environment;
  std::mutex m_mutex;
  std::map<std::string, FileTree> m_libraries; // by the name that was asked for
};

// Run the clean program (`variant` null) or a variant from nothing. Safe to use from several
// threads.
Result<Observed> run_cold(const Spec& spec,
                          const run::Environment& environment,
                          run::Isolation isolation,
                          Originals& originals,
                          const inject::Variant* variant,
                          int repeat,
                          double limit_seconds);

} // namespace faultline::campaign
