#pragma once

#include "evaluate/run_store.hpp"
#include "evaluate/subject.hpp"
#include "evaluate/tool.hpp"
#include "evaluate/tool_identity.hpp"
#include "evaluate/tool_job.hpp"
#include "evaluate/verdict.hpp"
#include "run/compiler.hpp"
#include "run/runner.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::evaluate {

struct EvaluatorConfig {
  size_t workers = 1;
  bool fresh = false;                  // run again what the store already knows
  bool only_stored = false;            // run nothing: what the store does not know was not run
  const run::StopFlag* stop = nullptr; // once set, nothing more is run
  run::RunnerConfig runner;
  OwnTools own;
  ToolIdentities* identities = nullptr; // if set, shared with others; must outlive the evaluator
  // What tools say on standard error, as it comes, from the threads that run them.
  std::function<void(std::string_view)> on_output = {};
};

// One tool of a box on one version of one of the programs, to be done.
struct PlannedToolRun {
  size_t tool;
  size_t subject;
  catalog::Version version;
};

// One tool on one version of a program, done.
struct FinishedToolRun {
  const Tool& tool;
  const Subject& subject;
  catalog::Version version;
  const ToolRun& run;
};

// One tool on one fault.
struct Cell {
  Judgement judgement;
  std::vector<Attempt> attempts; // one, or one for each member of a union
};

struct ToolResult {
  Tool tool;
  std::string version;       // the first line that it prints when asked
  std::string hash;          // tells this detector from any other, and from itself when it changes
  std::string not_installed; // why, if it is not
  std::vector<Cell> cells;   // one for each subject
};

struct Evaluation {
  std::vector<Subject> subjects;
  std::vector<ToolResult> tools;
  size_t runs = 0;
  size_t fresh_runs = 0;
};

// Runs tools on programs. Every finished run goes into the store at once, so an evaluation that was
// cut short goes on where it stopped.
class Evaluator {
public:
  Evaluator(const run::Environments& environments,
            RunStore& store,
            run::Compiler& compiler,
            EvaluatorConfig config);

  // The result points to the tools of `box`.
  // `on_plan` is told how many runs there will be, `on_run` of each as it finishes, from the
  // threads that ran them.
  Evaluation evaluate(const Toolbox& box,
                      std::vector<Subject> subjects,
                      const std::function<void(size_t)>& on_plan,
                      const std::function<void(const FinishedToolRun&)>& on_run);

private:
  struct Plan;

  Plan make_plan(const Toolbox& box, const std::vector<Subject>& subjects);
  void plan_tool(Plan& plan, size_t at);
  std::optional<ToolRun> stored(const std::string& address);
  // The reason why the program could not be compiled; nothing if its binary is in the job.
  std::optional<ToolRun>
  add_binary(const Subject& subject, catalog::Version version, run::Job& job);
  ToolRun run_one(const Plan& plan, const PlannedToolRun& task, run::Runner& runner);

  const run::Environments& m_environments;
  RunStore& m_store;
  run::Compiler& m_compiler;
  EvaluatorConfig m_config;
  ToolIdentities m_own_identities; // used if none are shared
  ToolIdentities& m_identities;
};

} // namespace faultline::evaluate
