#include "evaluate/tool_job.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "evaluate/tool_files.hpp"
#include "run/torch_probe.hpp"
#include "source/language.hpp"

#include <algorithm>

namespace faultline::evaluate {

namespace fs = std::filesystem;

namespace {

// Standard output goes to the job's result (descriptor 9), where it may be longer than a log.
constexpr std::string_view k_script = R"(unset FAULTLINE_RESULT_FD; exec "$@" >&9 9>&-)";
constexpr std::string_view k_script_both = R"(unset FAULTLINE_RESULT_FD; exec "$@" 2>&9 >&9 9>&-)";

std::string_view ending_of(const std::string& language)
{
  return language == "javascript" ? ".js" : language == "cpp" ? ".cpp" : ".py";
}

// One word with its placeholders filled in.
std::string filled(std::string word, const Subject& subject, const run::Environment& environment)
{
  word = replace_all(std::move(word), "{program}", ".");
  word = replace_all(std::move(word), "{workspace}", "..");
  word = replace_all(std::move(word), "{entry}", subject.entry);
  word = replace_all(std::move(word), "{faultline}", k_own_binary);
  word =
      replace_all(std::move(word),
                  "{python}",
                  environment.python ? environment.python->path.string() : std::string("python3"));
  for (const auto& [column, value] : subject.columns) {
    word = replace_all(std::move(word), format("{{set.{}}}", column), value);
  }
  return word;
}

std::vector<std::string> command_of(const std::vector<std::string>& words,
                                    const Subject& subject,
                                    const FileTree& program,
                                    const run::Environment& environment,
                                    bool both)
{
  std::vector<std::string> command = {
      "/bin/sh", "-c", std::string(both ? k_script_both : k_script), "tool"};
  for (const std::string& word : words) {
    if (word == "{run}") {
      command.insert(command.end(), subject.command.begin(), subject.command.end());
    } else if (word == "{files}") {
      for (const auto& [path, text] : program) {
        if (path.ends_with(ending_of(subject.language))) {
          command.push_back(path);
        }
      }
    } else {
      command.push_back(filled(word, subject, environment));
    }
  }
  return command;
}

} // namespace

std::vector<run::Mount> own_mounts(const OwnTools& own)
{
  const std::string root(k_own_root);
  std::vector<run::Mount> mounts;
  for (const char* name : {"taxonomy",
                           "probes/describe_python.py",
                           "probes/find_package.py",
                           "probes/faultline_watch"}) {
    mounts.push_back({own.data / name, root + "/" + name});
  }
  // A project has this folder too; the real one holds every answer.
  mounts.push_back({own.data / "taxonomy", root + "/faults"});
  return mounts;
}

namespace {

// What every run of a tool has.
run::Job base_job(const Tool& tool, const run::Environment& environment, const OwnTools& own)
{
  run::Job job;
  job.directory = "program";
  run::place_in(environment, job);
  for (const std::string& folder : tool.folders) {
    job.mounts.push_back({folder, folder});
  }
  if (tool.uses("faultline")) {
    job.mounts.push_back({own.binary, std::string(k_own_binary)});
    const std::string root(k_own_root);
    if (const fs::path probe = run::torch_probe_beside(own.binary); !probe.empty()) {
      job.mounts.push_back({probe, root + "/" + probe.filename().string()});
    }
    const std::vector<run::Mount> data = own_mounts(own);
    job.mounts.insert(job.mounts.end(), data.begin(), data.end());
    job.variables["FAULTLINE_ROOT"] = root;
  }
  job.returns_result = true;
  job.limits.processes = tool.limits.processes;
  job.limits.output_kib = 4096; // of the log; the output itself has a limit of its own
  return job;
}

} // namespace

std::optional<std::string> not_applicable(const Tool& tool, const Subject& subject)
{
  if (!tool.languages.empty() && !tool.languages.contains(subject.language)) {
    return format("not for {}", subject.language);
  }
  if (!tool.frameworks.empty() && !subject.framework.empty() &&
      !tool.frameworks.contains(subject.framework)) {
    return format("not for {}", subject.framework);
  }
  for (const std::string& word : tool.command) {
    const size_t at = word.find("{set.");
    if (at != std::string::npos) {
      const std::string column = word.substr(at + 5, word.find('}', at) - at - 5);
      if (!subject.columns.contains(column)) {
        return format("needs the column `{}` of a set", column);
      }
    }
  }
  return std::nullopt;
}

const run::Environment&
environment_of(const Tool& tool, const Subject& subject, const run::Environments& environments)
{
  return environments.get(tool.approach == Approach::running ? subject.environment
                                                             : tool.environment);
}

std::optional<std::string> missing(const Tool& tool, const run::Environment& environment)
{
  if (!environment.unbuilt.empty()) {
    return environment.unbuilt;
  }
  std::vector<std::string> wanted = tool.needs;
  wanted.insert(wanted.end(), tool.folders.begin(), tool.folders.end());
  for (const std::string& name : wanted) {
    if (!found_on_machine(name, environment)) {
      return format("{} is missing{}", name, tool.install.empty() ? "" : " (" + tool.install + ")");
    }
  }
  return std::nullopt;
}

run::Job tool_job(const Tool& tool,
                  const Subject& subject,
                  catalog::Version version,
                  const run::Environment& environment,
                  const OwnTools& own)
{
  run::Job job = base_job(tool, environment, own);
  const FileTree& program = subject.program(version);
  for (const auto& [path, content] : program) {
    job.files["program/" + path] = content;
  }
  for (const std::string& name : subject.data) {
    job.links["program/data/" + name] = run::data_mount(name);
  }
  if (subject.language == "javascript") {
    job.links["node_modules"] = std::string(run::k_modules_mount);
  }
  job.command = command_of(tool.command, subject, program, environment, tool.output.with_errors);
  // A tool that runs the program gets what the program may use on top.
  const bool runs = tool.approach == Approach::running;
  job.limits.wall_seconds = tool.limits.timeout_seconds + (runs ? subject.timeout_seconds : 0);
  job.limits.cpu_seconds = job.limits.wall_seconds * 2;
  job.limits.memory_mib = tool.limits.memory_mib + (runs ? subject.memory_mib : 0);
  return job;
}

std::vector<std::string> shown_command(const run::Job& job)
{
  constexpr size_t k_words_of_ours = 4; // see command_of
  return {job.command.begin() +
              static_cast<ptrdiff_t>(std::min(k_words_of_ours, job.command.size())),
          job.command.end()};
}

run::Job version_job(const Tool& tool, const run::Environment& environment, const OwnTools& own)
{
  run::Job job = base_job(tool, environment, own);
  job.files["program/empty"] = "";
  job.command = command_of(tool.version, Subject{}, FileTree{}, environment, true);
  job.limits.wall_seconds = 20;
  return job;
}

} // namespace faultline::evaluate
