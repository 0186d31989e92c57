#include "campaign/ingredients.hpp"

#include "base/content_digests.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/json.hpp"
#include "campaign/program_files.hpp"
#include "run/packages.hpp"

#include <algorithm>
#include <array>

namespace faultline::campaign {

// What a probe in the sandbox does is part of a run; the others have a part in the plan.
constexpr std::array k_run_probes = {"campaign_run.py", "faultline_campaign"};
constexpr std::array k_plan_probes = {"campaign_coverage.py", "same_bytecode.py"};

static std::string digest_of(std::string_view text)
{
  return Digest().add(text).hex();
}

static std::string digest_of(const std::vector<std::string>& words)
{
  Digest digest;
  for (const std::string& word : words) {
    digest.add(word);
  }
  return digest.hex();
}

static std::string digest_of(const FileTree& files)
{
  Digest digest;
  for (const auto& [path, text] : files) {
    digest.add(path).add(text);
  }
  return digest.hex();
}

// How the numbers are read from a run.
static std::string reading_of(const std::vector<Metric>& metrics)
{
  Digest digest;
  for (const Metric& metric : metrics) {
    digest.add(metric.name).add(metric.pattern).add(metric.json).add(metric.key);
  }
  return digest.hex();
}

// What they are compared with.
static std::string bounds_of_metrics(const std::vector<Metric>& metrics)
{
  Digest digest;
  for (const Metric& metric : metrics) {
    for (const std::optional<double>& bound : {metric.least, metric.most}) {
      digest.add(bound ? format("{}", *bound) : "none");
    }
    digest.add(metric.higher_is_better ? 1 : 0);
  }
  return digest.hex();
}

static std::string digest_of(const std::vector<Phase>& phases)
{
  Digest digest;
  for (const Phase& phase : phases) {
    digest.add(phase.name).add(static_cast<long long>(phase.regions.size()));
    for (const Region& region : phase.regions) {
      digest.add(region.file).add(region.function);
      digest.add(region.lines ? format("{}-{}", region.lines->first, region.lines->second) : "");
    }
  }
  return digest.hex();
}

static std::string number(const std::optional<size_t>& count)
{
  return count ? format("{}", *count) : "none";
}

static std::string digest_of(const std::vector<Target>& targets)
{
  Digest digest;
  for (const Target& target : targets) {
    digest.add(target.library).add(number(target.per_file)).add(digest_of(target.files));
  }
  return digest.hex();
}

static std::string digest_of(const std::vector<const inject::Operator*>& operators)
{
  Digest digest;
  for (const inject::Operator* op : operators) {
    digest.add(op->code);
  }
  return digest.hex();
}

static std::string digest_of(const Sampling& sampling)
{
  return Digest()
      .add(sampling.covered ? 1 : 0)
      .add(number(sampling.per_file))
      .add(sampling.confidence ? format("{}", *sampling.confidence) : "none")
      .add(sampling.interval ? format("{}", *sampling.interval) : "none")
      .hex();
}

void Ingredients::add(const std::string& name, std::string digest, Reach reach)
{
  m_all[name] = {std::move(digest), reach};
}

// The executor, its settings and the number of workers have no part: they change no answer.
void Ingredients::add_spec(const Spec& spec)
{
  add("`name`", digest_of(spec.name), Reach::counting);
  add("`repeats`", format("{}", spec.repeats), Reach::counting);
  add("`range` or `better` of the metrics", bounds_of_metrics(spec.metrics), Reach::counting);
  add("`clean_repeats`", format("{}", spec.clean_repeats), Reach::plan);
  add("the phases", digest_of(spec.phases), Reach::plan);
  add("the targets", digest_of(spec.targets), Reach::plan);
  add("`operators`", digest_of(spec.operators), Reach::plan);
  add("the sampling", digest_of(spec.sampling), Reach::plan);
  add("`checkpoint`", digest_of(spec.checkpoint), Reach::plan);
  add("`command`", digest_of(spec.command), Reach::runs);
  add("the metrics", reading_of(spec.metrics), Reach::runs);
  add("`seed`", format("{}", spec.seed), Reach::runs);
  add("`memory_mib`", format("{}", spec.memory_mib), Reach::runs);
  add("`time_limit_factor`", format("{}", spec.time_limit_factor), Reach::runs);
}

Result<void> Ingredients::add_data(const Spec& spec, const run::Environment& environment)
{
  // For as long as the process lives, so that files which did not change are not read again.
  static ContentDigests k_contents;
  for (const std::string& name : spec.data) {
    const auto found = environment.data_sets.find(name);
    if (found == environment.data_sets.end()) {
      return Error{ErrorKind::machine, format("the data set {} is not installed (npm ci)", name)};
    }
    add("data set " + name, k_contents.of(found->second), Reach::runs);
  }
  if (!spec.data_folder.empty()) {
    add("the data folder",
        Digest().add(spec.data_option).add(k_contents.of(spec.data_folder)).hex(),
        Reach::runs);
  }
  Digest run_probes;
  for (const char* probe : k_run_probes) {
    run_probes.add(k_contents.of(environment.probes / probe));
  }
  add("Faultline's probes", run_probes.hex(), Reach::runs);
  Digest plan_probes;
  for (const char* probe : k_plan_probes) {
    plan_probes.add(k_contents.of(environment.probes / probe));
  }
  add("Faultline's probes for planning", plan_probes.hex(), Reach::plan);
  return {};
}

// Versions, and what is written in Python: somebody may have changed an installed file by hand.
Result<void> Ingredients::add_libraries(const run::Environment& environment)
{
  if (!environment.python) {
    return Error{ErrorKind::machine, environment.missing("pytorch").value_or("no python3")};
  }
  add("python", digest_of(environment.python->version), Reach::runs);
  for (const auto& [name, version] : environment.python->packages) {
    const std::string module = name == "scikit-learn" ? "sklearn" : name;
    const Result<run::InstalledPackage> package = run::installed_package(environment, module);
    add(name,
        Digest().add(version).add(package ? digest_of(package->files) : "").hex(),
        Reach::runs);
  }
  return {};
}

Result<Ingredients> Ingredients::of(const Spec& spec,
                                    const run::Environment& environment,
                                    std::optional<size_t> most_variants,
                                    const std::string& version)
{
  Ingredients made;
  FL_TRY(const FileTree program, program_files(spec));
  for (const auto& [path, text] : program) {
    made.m_program[path] = digest_of(text);
  }
  made.add_spec(spec);
  FL_CHECK(made.add_data(spec, environment));
  FL_CHECK(made.add_libraries(environment));
  made.add("--limit", number(most_variants), Reach::plan);
  made.add("the version of faultline", version, Reach::plan);
  return made;
}

std::string Ingredients::print() const
{
  Json json;
  json["program"] = m_program;
  json["others"] = Json::object();
  for (const auto& [name, ingredient] : m_all) {
    json["others"][name] = {ingredient.digest, static_cast<int>(ingredient.reach)};
  }
  return print_json_line(json);
}

Result<Ingredients> Ingredients::parse(const std::string& text)
{
  Ingredients read;
  // nlohmann::json reports through exceptions; this is the fence.
  try {
    const Json json = Json::parse(text);
    read.m_program = json.at("program").get<std::map<std::string, std::string>>();
    for (const auto& [name, pair] : json.at("others").items()) {
      read.add(name, pair.at(0).get<std::string>(), static_cast<Reach>(pair.at(1).get<int>()));
    }
  } catch (const Json::exception&) {
    return Error{ErrorKind::bad_data, "what the campaign noted of its ingredients is damaged"};
  }
  return read;
}

// The names whose values differ, or that only one side has.
template <typename Map>
static void
note_changes(const Map& before, const Map& now, const auto& counts, std::vector<std::string>& names)
{
  for (const auto& [name, value] : now) {
    const auto old = before.find(name);
    if (counts(value) && (old == before.end() || old->second != value)) {
      names.push_back(old == before.end() ? name + " (new)" : name);
    }
  }
  for (const auto& [name, value] : before) {
    if (counts(value) && !now.contains(name)) {
      names.push_back(name + " (gone)");
    }
  }
}

std::vector<std::string> Ingredients::changes_since(const Ingredients& before, Reach least) const
{
  std::vector<std::string> names;
  note_changes(
      before.m_program, m_program, [](const std::string&) { return true; }, names);
  note_changes(
      before.m_all,
      m_all,
      [least](const Ingredient& ingredient) { return ingredient.reach >= least; },
      names);
  return names;
}

std::string Ingredients::address(const std::map<std::string, std::string>& changed) const
{
  Digest digest;
  for (const auto& [name, ingredient] : m_all) {
    if (ingredient.reach == Reach::runs) {
      digest.add(name).add(ingredient.digest);
    }
  }
  for (const auto& [path, text] : changed) {
    digest.add(path).add(text);
  }
  return digest.hex();
}

std::string Ingredients::clean_address() const
{
  return address(m_program);
}

std::string Ingredients::address_of(const inject::Variant& variant,
                                    const std::string& changed) const
{
  std::map<std::string, std::string> files = m_program;
  // No file of a program has such a name: read_tree gives paths below its folder.
  files[variant.library.empty() ? variant.file : "/" + variant.file] = digest_of(changed);
  return address(files);
}

} // namespace faultline::campaign
