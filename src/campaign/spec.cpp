#include "campaign/spec.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "base/toml.hpp"
#include "campaign/metrics.hpp"
#include "campaign/spec_check.hpp"
#include "catalog/data_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace faultline::campaign {

namespace fs = std::filesystem;

static long long
whole_number(TomlReader& reader, std::string_view key, long long otherwise, long long least)
{
  constexpr long long k_most = std::numeric_limits<int>::max();
  const std::optional<long long> given = reader.optional_integer(key);
  if (given && (*given < least || *given > k_most)) {
    reader.refuse(key, format("`{}` must lie between {} and {}", key, least, k_most));
  }
  return given.value_or(otherwise);
}

static std::optional<double> share(TomlReader& reader,
                                   std::string_view key) // strictly between 0 and 1
{
  const std::optional<double> given = reader.optional_number(key);
  if (given && !(*given > 0 && *given < 1)) {
    reader.refuse(key, format("`{}` must lie between 0 and 1", key));
  }
  return given;
}

static Metric read_metric(TomlReader& reader)
{
  Metric metric;
  metric.name = reader.text("name");
  metric.pattern = reader.optional_text("pattern").value_or("");
  metric.json = reader.optional_text("json").value_or("");
  metric.key = reader.optional_text("key").value_or("");
  if (metric.pattern.empty() == metric.json.empty()) {
    reader.refuse(format("metric `{}` needs either a `pattern` or `json` and `key`", metric.name));
  } else if (!metric.pattern.empty()) {
    const Result<Pattern> pattern = Pattern::compile(metric.pattern);
    if (!pattern) {
      reader.refuse("pattern", format("not a regular expression: {}", pattern.error().message));
    } else if (pattern->groups() < 1) {
      reader.refuse("pattern",
                    format("`{}` has no group: put the number in parentheses", metric.pattern));
    }
  } else {
    if (metric.key.empty()) {
      reader.refuse(format("metric `{}` needs the `key` in {}", metric.name, metric.json));
    }
    if (!is_inner_path(metric.json)) {
      reader.refuse("json", format("`{}` is not a path in the program's folder", metric.json));
    }
  }
  if (reader.has("range")) {
    const std::vector<double> range = reader.numbers("range");
    if (range.size() != 2) {
      reader.refuse("range", "`range` must be two numbers: [least, most]");
    } else if (!(range[0] < range[1])) {
      reader.refuse("range",
                    format("`range` is upside down: {} is not below {}", range[0], range[1]));
    } else {
      metric.least = range[0];
      metric.most = range[1];
    }
  }
  const std::string better = reader.optional_text("better").value_or("higher");
  if (better != "higher" && better != "lower") {
    reader.refuse("better", format("`better` is `higher` or `lower`, not `{}`", better));
  }
  metric.higher_is_better = better == "higher";
  return metric;
}

static void read_metrics_of(TomlReader& reader, Spec& spec)
{
  std::set<std::string> names;
  for (TomlReader& table : reader.tables("metrics")) {
    spec.metrics.push_back(read_metric(table));
    if (!names.insert(spec.metrics.back().name).second) {
      table.refuse("name", format("metric `{}` is there twice", spec.metrics.back().name));
    }
  }
  if (spec.metrics.empty()) {
    reader.refuse("no metric: a campaign compares runs by at least one [[metrics]]");
  }
}

static void read_operators(TomlReader& reader, Spec& spec)
{
  const std::vector<std::string> names = reader.texts("operators");
  if (names.empty()) {
    reader.refuse("operators", "`operators` is missing or empty, e.g. operators = [\"source\"]");
  }
  for (const std::string& name : names) {
    const size_t before = spec.operators.size();
    bool known = false;
    for (const inject::Operator* op : inject::all_operators()) {
      const bool by_prefix = name.size() >= 2 && name.size() < op->code.size() &&
                             op->code.starts_with(name) && name.starts_with("MU");
      if (name == name_of(op->level) || by_prefix || op == inject::find_operator(name)) {
        known = true;
        if (op->level != inject::Level::weights &&
            std::ranges::find(spec.operators, op) == spec.operators.end()) {
          spec.operators.push_back(op);
        }
      }
    }
    const bool any = known && spec.operators.size() > before;
    if (!known) {
      std::vector<std::string> candidates = {"source", "dl"};
      for (const inject::Operator* op : inject::all_operators()) {
        candidates.emplace_back(op->code);
        candidates.emplace_back(op->name);
        candidates.emplace_back(op->acronym);
      }
      std::erase(candidates, "");
      const std::string guess = did_you_mean(name, candidates);
      reader.refuse("operators",
                    format("unknown operator `{}`{}",
                           name,
                           guess.empty() ? "; `faultline operators` lists them" : guess));
    } else if (!any && spec.operators.empty()) {
      reader.refuse("operators",
                    format("`{}` changes saved weights, which a campaign does not run", name));
    }
  }
  std::ranges::sort(spec.operators, {}, &inject::Operator::code);
}

static void read_phases(TomlReader& reader, Spec& spec, const SpecChecker& check)
{
  std::set<std::string> names;
  for (TomlReader& table : reader.tables("phases")) {
    Phase phase;
    phase.name = table.text("name");
    if (!names.insert(phase.name).second) {
      table.refuse("name", format("phase `{}` is there twice", phase.name));
    } else if (phase.name.find('|') != std::string::npos) {
      table.refuse("name", "a phase's name has no `|` in it");
    }
    for (const std::string& text : table.texts("regions")) {
      Result<Region> region = parse_region(text);
      Result<void> there = region ? check.region(*region) : Result<void>();
      if (!region || !there) {
        table.refuse("regions", region ? there.error().message : region.error().message);
        break;
      }
      phase.regions.push_back(*std::move(region));
    }
    if (phase.regions.empty()) {
      table.refuse(format("phase `{}` has no regions", phase.name));
    }
    spec.phases.push_back(std::move(phase));
  }
}

static void read_targets(TomlReader& reader, Spec& spec, const SpecChecker& check)
{
  for (TomlReader& table : reader.tables("targets")) {
    Target target;
    target.files = table.texts("files");
    target.library = table.optional_text("library").value_or("");
    if (table.has("per_file")) {
      target.per_file = static_cast<size_t>(whole_number(table, "per_file", 1, 1));
    }
    if (target.files.empty() == target.library.empty()) {
      table.refuse("a target has either `files` (patterns) or a `library` (a module's name)");
    }
    for (const std::string& pattern : target.files) {
      if (!check.matches_python_file(pattern)) {
        table.refuse("files", format("`{}` matches no Python file of the program", pattern));
      }
    }
    if (!target.library.empty() && !is_module_name(target.library)) {
      table.refuse("library", format("`{}` is not the name of a module", target.library));
    }
    spec.targets.push_back(std::move(target));
  }
  if (spec.targets.empty()) {
    reader.refuse("no target: say with [[targets]] which files to change");
  }
}

static void read_sampling(TomlReader& reader, Spec& spec)
{
  std::optional<TomlReader> table = reader.optional_table("sampling");
  if (!table) {
    return;
  }
  spec.sampling.covered = table->flag("covered", true);
  if (table->has("per_file")) {
    spec.sampling.per_file = static_cast<size_t>(whole_number(*table, "per_file", 1, 1));
  }
  spec.sampling.confidence = share(*table, "confidence");
  spec.sampling.interval = share(*table, "interval");
  if (spec.sampling.confidence.has_value() != spec.sampling.interval.has_value()) {
    table->refuse("`confidence` and `interval` belong together: give both or none");
  }
}

static void read_run(TomlReader& reader, Spec& spec)
{
  std::optional<TomlReader> table = reader.optional_table("run");
  if (!table) {
    return;
  }
  spec.clean_repeats = static_cast<int>(whole_number(*table, "clean_repeats", 10, 1));
  spec.repeats = static_cast<int>(whole_number(*table, "repeats", 1, 1));
  spec.time_limit_factor = table->optional_number("time_limit_factor").value_or(5);
  if (!(spec.time_limit_factor > 1) || !std::isfinite(spec.time_limit_factor)) {
    table->refuse("time_limit_factor", "`time_limit_factor` must be more than 1");
  }
  spec.memory_mib = static_cast<size_t>(whole_number(*table, "memory_mib", 2048, 16));
  spec.workers = static_cast<size_t>(whole_number(*table, "workers", 0, 0));
  spec.executor = table->optional_text("executor").value_or("local");
  if (spec.executor != "local" && spec.executor != "slurm") {
    table->refuse("executor", format("`executor` is `local` or `slurm`, not `{}`", spec.executor));
  }
  spec.seed = static_cast<uint64_t>(whole_number(*table, "seed", 1, 0));
}

static void read_slurm(TomlReader& reader, Spec& spec)
{
  std::optional<TomlReader> table = reader.optional_table("slurm");
  if (!table) {
    return;
  }
  const auto count = [&](std::string_view key, size_t otherwise, long long least) {
    return static_cast<size_t>(whole_number(*table, key, static_cast<long long>(otherwise), least));
  };
  SlurmSettings& slurm = spec.slurm;
  slurm.partition = table->optional_text("partition").value_or("");
  slurm.cpus_per_task = count("cpus_per_task", slurm.cpus_per_task, 1);
  slurm.time_limit_minutes = count("time_limit_minutes", slurm.time_limit_minutes, 1);
  slurm.array_size = count("array_size", slurm.array_size, 1);
  slurm.at_once = count("at_once", slurm.at_once, 1);
  slurm.options = table->texts("options");
  for (const std::string& option : slurm.options) {
    // A word without dashes would be the script to run, in the place of ours.
    if (!option.starts_with("-")) {
      table->refuse("options",
                    format("`{}` is no option of sbatch: write each as one word, "
                           "e.g. \"--mem=4G\"",
                           option));
    }
  }
}

static void read_program(TomlReader& reader, Spec& spec, const SpecChecker& check)
{
  spec.command = reader.texts("command");
  if (Result<void> good = check.command(spec.command); !good) {
    reader.refuse("command", good.error().message);
  }
  spec.data = reader.texts("data");
  std::vector<std::string> sets;
  for (const auto& [name, folder] : catalog::data_sets()) {
    sets.push_back(name);
  }
  for (const std::string& name : spec.data) {
    if (std::ranges::find(sets, name) == sets.end()) {
      reader.refuse("data",
                    format("unknown data set `{}`{}; known are {}",
                           name,
                           did_you_mean(name, sets),
                           join(sets, ", ")));
    }
  }
  spec.data_option = reader.optional_text("data_option").value_or("");
  spec.checkpoint = reader.optional_text("checkpoint").value_or("");
  if (!spec.checkpoint.empty()) {
    const Result<Region> region = parse_region(spec.checkpoint);
    const Result<void> there = region ? check.region(*region) : Result<void>();
    if (!region || !there) {
      reader.refuse("checkpoint", region ? there.error().message : region.error().message);
    } else if (region->function.empty()) {
      reader.refuse("checkpoint",
                    format("`{}` is not a function: write file:function", spec.checkpoint));
    }
  }
}

Result<Spec> parse_spec(const std::string& text, const fs::path& file, SpecChecks checks)
{
  const std::string shown = file.string();
  FL_TRY(const toml::table table, parse_toml(text, shown));
  TomlReader reader(table, shown);
  Spec spec;
  spec.file = file;
  spec.text = text;
  spec.name = reader.text("name");
  const std::string program = reader.text("program");
  spec.folder = (file.parent_path() / program).lexically_normal();
  if (spec.folder.empty()) {
    spec.folder = ".";
  }
  std::error_code code;
  std::optional<SpecChecker> check;
  if (checks == SpecChecks::text_only) {
    check.emplace();
  } else if (!fs::is_directory(spec.folder, code)) {
    reader.refuse("program", format("there is no folder {}", spec.folder.string()));
    check.emplace();
  } else {
    FL_TRY(FileTree files, read_tree(spec.folder));
    check.emplace(std::move(files));
  }
  read_program(reader, spec, *check);
  read_metrics_of(reader, spec);
  read_operators(reader, spec);
  read_phases(reader, spec, *check);
  read_targets(reader, spec, *check);
  read_sampling(reader, spec);
  read_run(reader, spec);
  read_slurm(reader, spec);
  FL_CHECK(reader.finish());
  return spec;
}

Result<Spec> load_spec(const fs::path& file)
{
  std::error_code code;
  if (!fs::is_regular_file(file, code)) {
    return Error{ErrorKind::not_found, format("there is no campaign file {}", file.string())};
  }
  FL_TRY(const std::string text, read_file(file));
  return parse_spec(text, file, SpecChecks::all);
}

} // namespace faultline::campaign
