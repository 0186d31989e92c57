#include "evaluate/evaluator.hpp"

#include "base/format.hpp"
#include "run/outcome_store.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace faultline::evaluate {

using catalog::Version;

Evaluator::Evaluator(const run::Environment& environment,
                     RunStore& store,
                     run::Compiler& compiler,
                     EvaluatorConfig config)
    : m_environment(environment), m_store(store), m_compiler(compiler), m_config(std::move(config)),
      m_identities(m_config.identities != nullptr ? *m_config.identities : m_own_identities)
{
}

ToolRun Evaluator::run_one(const Tool& tool,
                           const std::string& tool_version,
                           const Subject& subject,
                           Version version,
                           run::Runner& runner)
{
  const auto not_run = [](std::string reason) {
    ToolRun run;
    run.reason = std::move(reason);
    return run;
  };
  const bool runs = tool.approach == Approach::running;
  const std::string framework =
      subject.framework.empty() && subject.language == "javascript" ? "tfjs" : subject.framework;
  if (runs) {
    if (const std::optional<std::string> lacking = m_environment.missing(framework)) {
      return not_run(*lacking);
    }
    for (const std::string& name : subject.data) {
      if (!m_environment.data_sets.contains(name)) {
        return not_run(format("the data set {} is not installed (npm ci)", name));
      }
    }
  }
  run::Job job = tool_job(tool, subject, version, m_environment, m_config.own);
  if (m_config.runner.isolation == run::Isolation::none) {
    job.variables.erase("FAULTLINE_ROOT"); // mounts do not exist; the binary knows its own
  }
  const std::string fingerprint = m_environment.fingerprint(framework) + tool_version + "\n" +
                                  (tool.uses("faultline") ? m_own_digest : "");
  const std::string address = address_of(job, tool, fingerprint);
  if (!m_config.fresh) {
    Result<std::optional<ToolRun>> stored = m_store.find(address);
    if (stored && *stored) {
      return **std::move(stored);
    }
  }
  if (m_config.only_stored) {
    return not_run("not run yet");
  }
  if (m_config.stop != nullptr && m_config.stop->load()) {
    return not_run("interrupted");
  }
  if (runs && subject.compile) {
    const auto compiled = m_compiler.compile(
        {subject.program(version), subject.compile->sources, subject.compile->output},
        m_config.stop);
    if (const auto* failed = std::get_if<run::RunOutcome>(&compiled)) {
      return not_run("the program does not compile: " + describe(*failed));
    }
    const std::string path = "program/" + subject.compile->output;
    job.files[path] = std::get<std::string>(compiled);
    job.executables.insert(path);
  }
  const ToolRun run = tool_run_of(tool, runner.run(job, m_config.on_output, m_config.stop));
  if (const Result<void> kept = m_store.put(address, run, subject.id); !kept) {
    return not_run(kept.error().line());
  }
  return run;
}

Evaluation Evaluator::evaluate(const Toolbox& box,
                               std::vector<Subject> subjects,
                               const std::function<void(size_t)>& on_plan,
                               const std::function<void(const FinishedToolRun&)>& on_run)
{
  Evaluation evaluation;
  evaluation.subjects = std::move(subjects);
  const std::vector<Subject>& all = evaluation.subjects;

  // One attempt for each tool that is no union, and each subject.
  struct Task {
    size_t tool;
    size_t subject;
    Version version;
  };
  std::vector<std::vector<Attempt>> attempts(box.tools.size());
  std::vector<std::string> versions(box.tools.size());
  std::vector<std::string> lacking(box.tools.size());
  std::vector<Task> tasks;
  if (std::ranges::any_of(box.tools, [](const Tool& tool) { return tool.uses("faultline"); })) {
    m_own_digest = m_identities.digest_of(m_config.own);
  }
  for (size_t t = 0; t < box.tools.size(); ++t) {
    const Tool& tool = box.tools[t];
    if (tool.is_union()) {
      continue;
    }
    const std::optional<std::string> lack = missing(tool, m_environment);
    lacking[t] = lack.value_or("");
    versions[t] = lack ? ""
                       : m_identities.version_of(tool,
                                                 m_environment,
                                                 m_config.own,
                                                 m_config.runner,
                                                 m_config.only_stored ? ToolIdentities::Ask::once
                                                                      : ToolIdentities::Ask::now);
    attempts[t].resize(all.size());
    for (size_t s = 0; s < all.size(); ++s) {
      Attempt& attempt = attempts[t][s];
      attempt.tool = &tool;
      attempt.not_applicable = not_applicable(tool, all[s]);
      attempt.not_installed = lack;
      attempt.buggy.reason = attempt.fixed.reason = "interrupted";
      if (!attempt.not_applicable && !lack) {
        tasks.push_back({t, s, Version::buggy});
        tasks.push_back({t, s, Version::fixed});
      }
    }
  }
  // What takes longest goes first, so that no thread is left with it alone.
  std::stable_partition(tasks.begin(), tasks.end(), [&box](const Task& task) {
    return box.tools[task.tool].approach == Approach::running;
  });
  on_plan(tasks.size());
  std::atomic<size_t> runs = 0;
  std::atomic<size_t> fresh = 0;
  run::for_each_parallel(
      tasks.size(),
      m_config.workers,
      [this] { return run::Runner(m_environment, m_config.runner); },
      [&](run::Runner& runner, size_t i) {
        const Task& task = tasks[i];
        Attempt& attempt = attempts[task.tool][task.subject];
        ToolRun& run = task.version == Version::buggy ? attempt.buggy : attempt.fixed;
        run = run_one(
            box.tools[task.tool], versions[task.tool], all[task.subject], task.version, runner);
        ++runs;
        fresh += run.from_store ? 0 : 1;
        on_run({box.tools[task.tool], all[task.subject], task.version, run});
      });
  evaluation.runs = runs;
  evaluation.fresh_runs = fresh;

  std::vector<std::unique_ptr<Key>> keys;
  for (const Subject& subject : all) {
    keys.push_back(std::make_unique<Key>(subject));
  }
  for (const size_t asked : box.asked) {
    ToolResult result;
    result.tool = box.tools[asked];
    result.version = versions[asked];
    result.not_installed = lacking[asked];
    std::vector<size_t> parts = {asked};
    if (result.tool.is_union()) {
      parts.clear();
      for (const std::string& member : result.tool.members) {
        parts.push_back(static_cast<size_t>(box.find(member) - box.tools.data()));
      }
    }
    for (size_t s = 0; s < all.size(); ++s) {
      Cell cell;
      std::vector<const Attempt*> used;
      for (const size_t part : parts) {
        used.push_back(&attempts[part][s]);
        cell.attempts.push_back(attempts[part][s]);
      }
      cell.judgement = judge(*keys[s], used);
      result.cells.push_back(std::move(cell));
    }
    evaluation.tools.push_back(std::move(result));
  }
  return evaluation;
}

} // namespace faultline::evaluate
