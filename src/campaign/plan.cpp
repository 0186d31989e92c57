#include "campaign/plan.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/bytecode.hpp"
#include "campaign/judge.hpp"
#include "campaign/program_files.hpp"
#include "campaign/spec_check.hpp"
#include "run/interrupt.hpp"
#include "run/packages.hpp"
#include "stats/sampling.hpp"

#include <algorithm>
#include <random>

namespace faultline::campaign {

namespace {

// The files of one target that may be changed.
struct Place {
  const Target* target;
  FileTree files;
};

} // namespace

std::string original_key(const inject::Variant& variant)
{
  return (variant.library.empty() ? "own/" : "lib/") + variant.file;
}

static Error clean_failure(const Spec& spec, const Observed& seen)
{
  std::string how;
  if (seen.run.crash) {
    how = seen.run.crash->exception;
  } else {
    how = seen.run.symptom == Symptom::hang ? "it does not end" : "out of memory";
  }
  const std::string said = last_line(seen.log);
  return {ErrorKind::bad_data,
          format("{}: the clean program fails: `{}` ended with {}{}",
                 spec.file.string(),
                 join(spec.command, " "),
                 how,
                 said.empty() ? ", without a word" : format(", last line `{}`", said))};
}

static Result<void> check_clean(const Spec& spec, const Observed& seen)
{
  if (seen.run.symptom != Symptom::normal) {
    return clean_failure(spec, seen);
  }
  for (const Metric& metric : spec.metrics) {
    if (seen.run.metrics.contains(metric.name)) {
      continue;
    }
    return Error{ErrorKind::bad_data,
                 metric.pattern.empty()
                     ? format("{}: metric `{}`: the clean program never wrote a number as `{}` to "
                              "{}",
                              spec.file.string(),
                              metric.name,
                              metric.key,
                              metric.json)
                     : format("{}: metric `{}`: the clean program never printed a number that "
                              "matches `{}`",
                              spec.file.string(),
                              metric.name,
                              metric.pattern)};
  }
  return {};
}

// The clean run of `repeat`: one that is known already, or a new one.
static Result<Observed> clean_run(const Spec& spec,
                                  Engine& engine,
                                  int repeat,
                                  const std::function<void(std::string_view)>& say,
                                  const PlanOptions& options)
{
  FL_TRY(std::optional<Observed> known, options.known_clean(repeat));
  if (known) {
    return *std::move(known);
  }
  say(format("clean run {} of {}", repeat + 1, spec.clean_repeats));
  FL_TRY(Observed seen, engine.run_clean(repeat));
  FL_CHECK(check_clean(spec, seen));
  return seen;
}

static Result<void> run_clean(const Spec& spec,
                              Engine& engine,
                              Plan& plan,
                              const std::function<void(std::string_view)>& say,
                              const PlanOptions& options)
{
  for (int repeat = 0; repeat < spec.clean_repeats; ++repeat) {
    if (run::interrupted()) {
      return Error{ErrorKind::machine, "interrupted"};
    }
    FL_TRY(Observed seen, clean_run(spec, engine, repeat, say, options));
    plan.data.clean.push_back(std::move(seen.run));
    plan.clean_logs.push_back(std::move(seen.log));
  }
  const Bounds bounds = bounds_of(plan.data.clean, spec);
  for (Run& run : plan.data.clean) {
    run.symptom = judge(run, bounds, spec);
  }
  return {};
}

static Result<std::vector<Place>> find_places(const Spec& spec, const run::Environment& environment)
{
  FL_TRY(const FileTree own, program_files(spec));
  std::vector<Place> places;
  std::set<std::string> taken; // a file that two targets name belongs to the first
  for (const Target& target : spec.targets) {
    Place place{&target, {}};
    if (target.library.empty()) {
      for (const auto& [path, text] : own) {
        const bool wanted =
            path.ends_with(".py") &&
            std::ranges::any_of(target.files, [&path = path](const std::string& pattern) {
              return pattern_matches(pattern, path);
            });
        if (wanted && taken.insert("own/" + path).second) {
          place.files[path] = text;
        }
      }
    } else {
      Result<run::InstalledPackage> package = run::installed_package(environment, target.library);
      if (!package) {
        return std::move(package).error().in(spec.file.string());
      }
      for (auto& [path, text] : package->files) {
        if (taken.insert("lib/" + path).second) {
          place.files[path] = std::move(text);
        }
      }
    }
    places.push_back(std::move(place));
  }
  return places;
}

static std::map<std::string, std::set<size_t>> covered_lines(const Coverage& coverage)
{
  std::map<std::string, std::set<size_t>> covered;
  for (const auto& [file, lines] : coverage.segments) {
    for (const auto& [line, segments] : lines) {
      covered[file].insert(line);
    }
  }
  return covered;
}

std::vector<std::string>
phases_of(const Spec& spec, const Coverage& coverage, const inject::Variant& variant)
{
  const auto executes = [&](const std::string& phase) {
    const auto files = coverage.phases.find(phase);
    if (files == coverage.phases.end()) {
      return false;
    }
    const auto lines = files->second.find(variant.file);
    return lines != files->second.end() && lines->second.contains(variant.line);
  };
  std::vector<std::string> phases;
  for (const Phase& phase : spec.phases) {
    if (executes(phase.name)) {
      phases.push_back(phase.name);
    }
  }
  return phases;
}

// `count` of them, drawn at random, in their old order.
static void draw(std::vector<inject::Variant>& variants, size_t count, uint64_t seed)
{
  if (count >= variants.size()) {
    return;
  }
  // A shuffle of our own: what the standard library's draws differs between libraries.
  std::mt19937_64 random(seed);
  std::vector<size_t> order(variants.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  for (size_t i = 0; i < count; ++i) {
    std::swap(order[i], order[i + random() % (order.size() - i)]);
  }
  order.resize(count);
  std::ranges::sort(order);
  std::vector<inject::Variant> drawn;
  for (const size_t i : order) {
    drawn.push_back(std::move(variants[i]));
  }
  variants = std::move(drawn);
}

static Result<std::vector<inject::Variant>> make_all(const Spec& spec,
                                                     const run::Environment& environment,
                                                     const std::vector<Place>& places,
                                                     const Coverage& coverage)
{
  std::vector<inject::Variant> all;
  for (const Place& place : places) {
    inject::Selection selection;
    selection.operators = spec.operators;
    selection.seed = spec.seed;
    if (spec.sampling.covered) {
      selection.covered = covered_lines(coverage);
    }
    // The cap counts variants that are worth running, so it comes after those with the same
    // bytecode are gone.
    std::vector<inject::Variant> made =
        inject::make_variants(place.files, selection, place.target->library);
    FL_TRY(made, without_equivalent(std::move(made), place.files, environment));
    const std::optional<size_t> cap =
        place.target->per_file ? place.target->per_file : spec.sampling.per_file;
    std::map<std::string, std::vector<inject::Variant>> by_file;
    for (inject::Variant& variant : made) {
      by_file[variant.file].push_back(std::move(variant));
    }
    for (auto& [file, variants] : by_file) {
      if (cap) {
        draw(variants, *cap, spec.seed);
      }
      std::ranges::move(variants, std::back_inserter(all));
    }
  }
  return all;
}

static Result<void>
check_covered(const Spec& spec, const std::vector<Place>& places, const Coverage& coverage)
{
  for (const Place& place : places) {
    const bool any = std::ranges::any_of(
        place.files, [&](const auto& file) { return coverage.segments.contains(file.first); });
    if (!any) {
      return Error{
          ErrorKind::bad_data,
          format("{}: the clean program executes no line of {}: nothing to change there "
                 "(`covered = false` under [sampling] changes lines that are not executed)",
                 spec.file.string(),
                 place.target->library.empty() ? join(place.target->files, ", ")
                                               : place.target->library)};
    }
  }
  return {};
}

Result<Plan> make_plan(const Spec& spec,
                       const run::Environment& environment,
                       Engine& engine,
                       const std::function<void(std::string_view)>& say,
                       const PlanOptions& options)
{
  Plan plan;
  plan.data.spec = spec;
  plan.data.started = utc_now();
  plan.data.machine = describe_machine();
  if (environment.python) {
    plan.data.versions = environment.python->packages;
    plan.data.versions["python"] = environment.python->version;
  }
  FL_TRY(const std::vector<Place> places, find_places(spec, environment));
  FL_CHECK(run_clean(spec, engine, plan, say, options));

  say("coverage of the clean program");
  std::set<std::string> files;
  for (const Place& place : places) {
    for (const auto& [path, text] : place.files) {
      files.insert(path);
    }
  }
  FL_TRY(plan.coverage, measure_coverage(spec, environment, files, options.isolation));
  if (spec.sampling.covered) {
    FL_CHECK(check_covered(spec, places, plan.coverage));
  }

  say("variants");
  FL_TRY(std::vector<inject::Variant> variants, make_all(spec, environment, places, plan.coverage));
  if (variants.empty()) {
    return Error{
        ErrorKind::bad_data,
        format("{}: the operators find nothing to change in the targets", spec.file.string())};
  }
  if (spec.sampling.confidence && spec.sampling.interval) {
    draw(variants,
         stats::sample_size(variants.size(), *spec.sampling.confidence, *spec.sampling.interval),
         spec.seed);
  }
  if (options.most_variants) {
    draw(variants, *options.most_variants, spec.seed);
  }
  for (inject::Variant& variant : variants) {
    for (const Place& place : places) {
      if (place.target->library == variant.library && place.files.contains(variant.file)) {
        plan.originals[original_key(variant)] = place.files.at(variant.file);
      }
    }
    VariantRecord record;
    record.phases = phases_of(spec, plan.coverage, variant);
    record.variant = std::move(variant);
    plan.data.variants.push_back(std::move(record));
  }
  return plan;
}

} // namespace faultline::campaign
