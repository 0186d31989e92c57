#include "campaign/cold_run.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/metrics.hpp"
#include "campaign/program_files.hpp"
#include "run/cold_start.hpp"
#include "run/packages.hpp"

#include <cstring>

namespace faultline::campaign {

namespace fs = std::filesystem;

constexpr std::string_view k_given_data = "given";
constexpr size_t k_most_output_kib = 8 * 1024;

uint64_t seed_of(const Spec& spec, int repeat)
{
  return spec.seed + static_cast<uint64_t>(repeat);
}

std::vector<std::string> command_of(const Spec& spec, int repeat)
{
  std::vector<std::string> command;
  for (const std::string& word : spec.command) {
    command.push_back(replace_all(word, "{seed}", format("{}", seed_of(spec, repeat))));
  }
  if (!spec.data_folder.empty()) {
    if (!spec.data_option.empty()) {
      command.push_back(spec.data_option);
    }
    command.push_back(run::data_mount(std::string(k_given_data)));
  }
  return command;
}

static Result<std::vector<run::Mount>> mounts_of(const Spec& spec,
                                                 const run::Environment& environment)
{
  // Of the data sets only those that the campaign names: a program must not come to depend on
  // another by accident.
  std::vector<run::Mount> mounts = run::program_mounts(environment);
  std::erase_if(mounts, [](const run::Mount& mount) {
    return mount.inside.starts_with("/data/") || mount.inside == run::k_modules_mount;
  });
  for (const std::string& name : spec.data) {
    const auto found = environment.data_sets.find(name);
    if (found == environment.data_sets.end()) {
      return Error{ErrorKind::machine, format("the data set {} is not installed (npm ci)", name)};
    }
    mounts.push_back({found->second, run::data_mount(name)});
  }
  if (!spec.data_folder.empty()) {
    std::error_code code;
    mounts.push_back(
        {fs::absolute(spec.data_folder, code), run::data_mount(std::string(k_given_data))});
  }
  return mounts;
}

Result<run::Job> program_job(const Spec& spec,
                             const run::Environment& environment,
                             const FileTree& program,
                             const std::string& probe,
                             const Json& setup,
                             int repeat,
                             double limit_seconds)
{
  if (const std::optional<std::string> missing = environment.missing("pytorch")) {
    return Error{ErrorKind::machine, *missing};
  }
  run::Job job;
  for (const auto& [path, text] : program) {
    job.files["program/" + path] = text;
  }
  FL_TRY(job.files["faultline/" + probe], read_file(environment.probes / probe));
  job.files["faultline/setup.json"] = print_json(setup);
  job.command = {
      environment.python->path.string(), "../faultline/" + probe, "../faultline/setup.json"};
  const std::vector<std::string> words = command_of(spec, repeat);
  job.command.insert(job.command.end(), words.begin() + 1, words.end());
  job.directory = "program";
  job.variables = run::program_variables(environment);
  // Memory that a buggy version reads before anybody wrote it is zero, however the version was
  // started.
  job.variables["GLIBC_TUNABLES"] = "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0";
  job.variables["FAULTLINE_SEED"] = format("{}", seed_of(spec, repeat));
  FL_TRY(job.mounts, mounts_of(spec, environment));
  job.system = environment.system;
  job.limits.wall_seconds = limit_seconds;
  job.limits.cpu_seconds = limit_seconds * 2;
  job.limits.memory_mib = spec.memory_mib;
  job.limits.output_kib = k_most_output_kib;
  job.returns_result = true;
  return job;
}

static std::string text_in(const Json& json, const char* key)
{
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

static Crash crash_of(const Json& result, const run::RunOutcome& outcome)
{
  Crash crash;
  if (outcome.ending == run::Ending::signalled) {
    const char* name = sigabbrev_np(outcome.code);
    crash.exception = name != nullptr ? format("SIG{}", name) : format("signal {}", outcome.code);
    return crash;
  }
  if (outcome.ending != run::Ending::exited) {
    crash.exception = run::describe(outcome);
    return crash;
  }
  crash.exception = format("exit {}", outcome.code);
  const auto told = result.is_object() ? result.find("crash") : result.end();
  if (!result.is_object() || told == result.end() || !told->is_object()) {
    return crash;
  }
  crash.exception = text_in(*told, "exception");
  crash.message = text_in(*told, "message");
  crash.file = text_in(*told, "file");
  crash.line = told->contains("line") && (*told)["line"].is_number_unsigned()
                   ? (*told)["line"].get<size_t>()
                   : 0;
  crash.function = text_in(*told, "function");
  crash.statement = text_in(*told, "statement");
  return crash;
}

Result<Observed>
observe(const Spec& spec, const run::RunOutcome& outcome, const std::string& variant, int repeat)
{
  if (!outcome.is_verdict()) {
    return Error{ErrorKind::machine,
                 outcome.ending == run::Ending::interrupted ? "interrupted" : outcome.reason};
  }
  const Json result = parse_json(outcome.result);
  Observed observed;
  observed.log = outcome.log;
  Run& run = observed.run;
  run.variant = variant;
  run.repeat = repeat;
  run.seconds = outcome.wall_seconds;
  run.cpu_seconds = outcome.cpu_seconds;
  run.spent_seconds = outcome.cpu_seconds;
  run.memory_kib = outcome.peak_memory_kib;
  if (outcome.ending == run::Ending::timed_out) {
    run.symptom = Symptom::hang;
  } else if (outcome.ending == run::Ending::out_of_memory) {
    run.symptom = Symptom::out_of_memory;
  } else if (!outcome.succeeded()) {
    run.symptom = Symptom::crash;
    run.crash = crash_of(result, outcome);
  }
  std::map<std::string, std::string> written;
  if (result.is_object()) {
    if (const auto cpu = result.find("cpu_seconds"); cpu != result.end() && cpu->is_number()) {
      run.cpu_seconds = cpu->get<double>();
    }
    if (const auto texts = result.find("json"); texts != result.end() && texts->is_object()) {
      for (const auto& [name, text] : texts->items()) {
        written[name] = text.is_string() ? text.get<std::string>() : "";
      }
    }
  }
  run.metrics = read_metrics(spec, observed.log, written);
  return observed;
}

Result<Originals> Originals::read(const Spec& spec, const run::Environment& environment)
{
  FL_TRY(FileTree program, program_files(spec));
  return Originals(std::move(program), environment);
}

Originals::Originals(Originals&& other) noexcept
    : m_program(std::move(other.m_program)), m_environment(other.m_environment),
      m_libraries(std::move(other.m_libraries))
{
}

Result<std::string> Originals::original_of(const inject::Variant& variant)
{
  const std::lock_guard lock(m_mutex);
  if (!variant.library.empty() && !m_libraries.contains(variant.library)) {
    FL_TRY(run::InstalledPackage package, run::installed_package(*m_environment, variant.library));
    m_libraries[variant.library] = std::move(package.files);
  }
  const FileTree& files = variant.library.empty() ? m_program : m_libraries[variant.library];
  const auto found = files.find(variant.file);
  if (found == files.end()) {
    return Error{ErrorKind::bad_data,
                 format("{} is not there any more: the {} changed since the campaign was planned",
                        variant.file,
                        variant.library.empty() ? "program" : "installed " + variant.library)};
  }
  return found->second;
}

Result<std::string> Originals::changed_text_of(const inject::Variant& variant)
{
  FL_TRY(std::string text, original_of(variant));
  return inject::changed_text(variant, FileTree{{variant.file, std::move(text)}});
}

Result<Observed> run_cold(const Spec& spec,
                          const run::Environment& environment,
                          run::Isolation isolation,
                          Originals& originals,
                          const inject::Variant* variant,
                          int repeat,
                          double limit_seconds)
{
  Json setup;
  setup["json"] = Json::array();
  for (const Metric& metric : spec.metrics) {
    if (!metric.json.empty()) {
      setup["json"].push_back(metric.json);
    }
  }
  setup["overlay"] = Json::object();
  std::string changed;
  if (variant != nullptr) {
    FL_TRY(changed, originals.changed_text_of(*variant));
    if (!variant->library.empty()) {
      setup["overlay"][variant->file] = "../faultline/overlay.py";
    }
  }
  FL_TRY(
      run::Job job,
      program_job(
          spec, environment, originals.program(), "campaign_run.py", setup, repeat, limit_seconds));
  if (variant != nullptr) {
    job.files[variant->library.empty() ? "program/" + variant->file : "faultline/overlay.py"] =
        std::move(changed);
  }
  return observe(spec,
                 run::run_cold(job, isolation),
                 variant != nullptr ? variant->id : std::string(),
                 repeat);
}

} // namespace faultline::campaign
