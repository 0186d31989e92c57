#include "evaluate/evaluator.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace faultline::evaluate {

using catalog::Version;

Evaluator::Evaluator(const run::Environments& environments,
                     RunStore& store,
                     run::Compiler& compiler,
                     EvaluatorConfig config)
    : m_environments(environments), m_store(store), m_compiler(compiler),
      m_config(std::move(config)),
      m_identities(m_config.identities != nullptr ? *m_config.identities : m_own_identities)
{
}

namespace {

ToolRun not_run(std::string reason)
{
  ToolRun run;
  run.reason = std::move(reason);
  return run;
}

// What the machine lacks for running the program itself; nothing if it has all.
std::optional<std::string> lacking_for(const Subject& subject, const run::Environment& environment)
{
  const std::string framework =
      subject.framework.empty() && subject.language == "javascript" ? "tfjs" : subject.framework;
  if (std::optional<std::string> lacking = environment.missing(framework)) {
    return lacking;
  }
  for (const std::string& name : subject.data) {
    if (!environment.data_sets.contains(name)) {
      return format("the data set {} is not installed (npm ci)", name);
    }
  }
  return std::nullopt;
}

// What the program is given or made from and its files do not show.
std::string fingerprint_of(const Subject& subject, const run::Environment& environment)
{
  std::string text =
      environment.fingerprint(subject.framework) + environment.data_fingerprint(subject.data);
  if (subject.compile) {
    text += "compiled " + join(subject.compile->sources, " ") + " " + subject.compile->output;
  }
  return text;
}

// The places of the box whose attempts make the result of one that was asked for: its own, or those
// of its members.
std::vector<size_t> parts_of(const Toolbox& box, size_t asked)
{
  std::vector<size_t> parts;
  for (const std::string& member : box.tools[asked].members) {
    parts.push_back(static_cast<size_t>(box.find(member) - box.tools.data()));
  }
  return parts.empty() ? std::vector{asked} : parts;
}

} // namespace

// What an evaluation is going to run, and what came of it.
struct Evaluator::Plan {
  const Toolbox& box;
  const std::vector<Subject>& subjects;
  // One for each tool of the box; of a union there are none, and its hash is that of its members.
  std::vector<ToolIdentity> identities;
  std::vector<std::string> hashes;
  std::vector<std::string> lacking;
  std::vector<std::vector<Attempt>> attempts; // for each subject
  std::vector<PlannedToolRun> tasks;
};

void Evaluator::plan_tool(Plan& plan, size_t at)
{
  const Tool& tool = plan.box.tools[at];
  const run::Environment& environment = m_environments.get(tool.environment);
  const std::optional<std::string> lack = missing(tool, environment);
  plan.lacking[at] = lack.value_or("");
  if (!lack) {
    const auto ask = m_config.only_stored ? ToolIdentities::Ask::once : ToolIdentities::Ask::now;
    plan.identities[at] = m_identities.of(tool, environment, m_config.own, m_config.runner, ask);
    plan.hashes[at] = detector_hash(tool, plan.identities[at]);
  }
  plan.attempts[at].resize(plan.subjects.size());
  for (size_t s = 0; s < plan.subjects.size(); ++s) {
    Attempt& attempt = plan.attempts[at][s];
    attempt.tool = &tool;
    attempt.not_applicable = not_applicable(tool, plan.subjects[s]);
    attempt.not_installed = lack;
    attempt.buggy.reason = attempt.fixed.reason = "interrupted";
    if (!attempt.not_applicable && !lack) {
      plan.tasks.push_back({at, s, Version::buggy});
      plan.tasks.push_back({at, s, Version::fixed});
    }
  }
}

Evaluator::Plan Evaluator::make_plan(const Toolbox& box, const std::vector<Subject>& subjects)
{
  const size_t count = box.tools.size();
  Plan plan{box,
            subjects,
            std::vector<ToolIdentity>(count),
            std::vector<std::string>(count),
            std::vector<std::string>(count),
            std::vector<std::vector<Attempt>>(count),
            {}};
  for (size_t t = 0; t < count; ++t) {
    if (!box.tools[t].is_union()) {
      plan_tool(plan, t);
    }
  }
  for (size_t t = 0; t < count; ++t) {
    if (box.tools[t].is_union()) {
      std::vector<std::string> hashes;
      for (const size_t part : parts_of(box, t)) {
        hashes.push_back(plan.hashes[part]);
      }
      plan.hashes[t] = union_hash(box.tools[t], hashes);
    }
  }
  // What takes longest goes first, so that no thread is left with it alone.
  std::stable_partition(plan.tasks.begin(), plan.tasks.end(), [&box](const PlannedToolRun& task) {
    return box.tools[task.tool].approach == Approach::running;
  });
  return plan;
}

std::optional<ToolRun> Evaluator::stored(const std::string& address)
{
  if (m_config.fresh) {
    return std::nullopt;
  }
  Result<std::optional<ToolRun>> found = m_store.find(address);
  return found ? *std::move(found) : std::nullopt;
}

std::optional<ToolRun> Evaluator::add_binary(const Subject& subject, Version version, run::Job& job)
{
  const auto compiled = m_compiler.compile(
      {subject.program(version), subject.compile->sources, subject.compile->output}, m_config.stop);
  if (const auto* failed = std::get_if<run::RunOutcome>(&compiled)) {
    return not_run("the program does not compile: " + describe(*failed));
  }
  const std::string path = "program/" + subject.compile->output;
  job.files[path] = std::get<std::string>(compiled);
  job.executables.insert(path);
  return std::nullopt;
}

ToolRun Evaluator::run_one(const Plan& plan, const PlannedToolRun& task, run::Runner& runner)
{
  const Tool& tool = plan.box.tools[task.tool];
  const Subject& subject = plan.subjects[task.subject];
  const bool runs = tool.approach == Approach::running;
  const run::Environment& environment = environment_of(tool, subject, m_environments);
  if (runs) {
    if (std::optional<std::string> lacking = lacking_for(subject, environment)) {
      return not_run(*std::move(lacking));
    }
  }
  run::Job job = tool_job(tool, subject, task.version, environment, m_config.own);
  const bool boxed = m_config.runner.isolation != run::Isolation::none;
  if (!boxed) {
    job.variables.erase("FAULTLINE_ROOT"); // mounts do not exist; the binary knows its own
  }
  const std::string address =
      address_of(job,
                 tool,
                 plan.identities[task.tool].digest + fingerprint_of(subject, environment) +
                     (boxed ? "" : "without a sandbox"));
  if (std::optional<ToolRun> known = stored(address)) {
    return *std::move(known);
  }
  if (m_config.only_stored) {
    return not_run("not run yet");
  }
  if (m_config.stop != nullptr && m_config.stop->load()) {
    return not_run("interrupted");
  }
  if (runs && subject.compile) {
    if (std::optional<ToolRun> failed = add_binary(subject, task.version, job)) {
      return *std::move(failed);
    }
  }
  const ToolRun run =
      tool_run_of(tool, runner.run(job, environment, m_config.on_output, m_config.stop));
  if (const Result<void> kept = m_store.put(address, run, subject.id); !kept) {
    return not_run(kept.error().line());
  }
  return run;
}

static ToolResult judged(const Toolbox& box,
                         size_t asked,
                         const std::vector<std::unique_ptr<Key>>& keys,
                         const std::vector<std::vector<Attempt>>& attempts)
{
  ToolResult result;
  result.tool = box.tools[asked];
  const std::vector<size_t> parts = parts_of(box, asked);
  for (size_t s = 0; s < keys.size(); ++s) {
    Cell cell;
    std::vector<const Attempt*> used;
    for (const size_t part : parts) {
      used.push_back(&attempts[part][s]);
      cell.attempts.push_back(attempts[part][s]);
    }
    cell.judgement = judge(*keys[s], used);
    result.cells.push_back(std::move(cell));
  }
  return result;
}

Evaluation Evaluator::evaluate(const Toolbox& box,
                               std::vector<Subject> subjects,
                               const std::function<void(size_t)>& on_plan,
                               const std::function<void(const FinishedToolRun&)>& on_run)
{
  Evaluation evaluation;
  evaluation.subjects = std::move(subjects);
  Plan plan = make_plan(box, evaluation.subjects);
  on_plan(plan.tasks.size());
  std::atomic<size_t> runs = 0;
  std::atomic<size_t> fresh = 0;
  run::for_each_parallel(
      plan.tasks.size(),
      m_config.workers,
      [this] { return run::Runner(m_config.runner); },
      [&](run::Runner& runner, size_t i) {
        const PlannedToolRun& task = plan.tasks[i];
        Attempt& attempt = plan.attempts[task.tool][task.subject];
        ToolRun& run = task.version == Version::buggy ? attempt.buggy : attempt.fixed;
        run = run_one(plan, task, runner);
        ++runs;
        fresh += run.from_store ? 0 : 1;
        on_run({box.tools[task.tool], evaluation.subjects[task.subject], task.version, run});
      });
  evaluation.runs = runs;
  evaluation.fresh_runs = fresh;

  std::vector<std::unique_ptr<Key>> keys;
  for (const Subject& subject : evaluation.subjects) {
    keys.push_back(std::make_unique<Key>(subject));
  }
  for (const size_t asked : box.asked) {
    ToolResult result = judged(box, asked, keys, plan.attempts);
    result.version = plan.identities[asked].version;
    result.hash = plan.hashes[asked];
    result.not_installed = plan.lacking[asked];
    evaluation.tools.push_back(std::move(result));
  }
  return evaluation;
}

} // namespace faultline::evaluate
