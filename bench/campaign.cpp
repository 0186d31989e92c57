// How many variants a minute an injection campaign finishes on a subject of programs/: each
// started cold; plain forking, with the framework loaded and everything before the changed code
// shared; and the whole engine. All sides run the same random sample of variants, one after the
// other, in one go, and must agree on every symptom and every metric. Then, with 25 epochs, what
// the engine adds to the time that training takes.
//
//   bench_campaign [VARIANTS] [WORKERS] [SUBJECT]

#include "base/clock.hpp"
#include "base/format.hpp"
#include "campaign/judge.hpp"
#include "campaign/plan.hpp"
#include "campaign/session.hpp"
#include "catalog/data_sets.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <mutex>

using namespace faultline;
using campaign::EngineConfig;
using campaign::Mode;

namespace {

[[noreturn]] void stop(const Error& error)
{
  std::cerr << error.line() << '\n';
  std::exit(3);
}

struct Subject {
  campaign::Spec spec;
  campaign::Plan plan;
  std::string reference;
};

struct Side {
  std::map<std::string, campaign::Run> runs;
  double seconds = 0;
};

Side run_side(const Subject& subject,
              const run::Environment& environment,
              const std::vector<const campaign::VariantRecord*>& variants,
              EngineConfig config,
              size_t workers)
{
  campaign::Engine engine(subject.spec, environment, config);
  const campaign::Bounds bounds = campaign::bounds_of(subject.plan.data.clean, subject.spec);
  Side side;
  std::mutex mutex;
  const double start = monotonic_seconds();
  const Result<void> done = engine.run_all(variants,
                                           0,
                                           subject.reference,
                                           campaign::limit_of(subject.plan.data),
                                           workers,
                                           [&](campaign::Observed seen) {
                                             const std::lock_guard lock(mutex);
                                             seen.run.symptom =
                                                 campaign::judge(seen.run, bounds, subject.spec);
                                             side.runs[seen.run.variant] = seen.run;
                                           });
  if (!done) {
    stop(done.error());
  }
  side.seconds = monotonic_seconds() - start;
  return side;
}

bool is_speed(campaign::Symptom symptom)
{
  return symptom == campaign::Symptom::slower || symptom == campaign::Symptom::faster;
}

bool agrees(const campaign::Run& a, const campaign::Run& b)
{
  const auto plain = [](const campaign::Run& run) {
    return is_speed(run.symptom) ? campaign::Symptom::normal : run.symptom;
  };
  return plain(a) == plain(b) &&
         std::ranges::equal(a.metrics, b.metrics, [](const auto& x, const auto& y) {
           return x.first == "training_seconds" || x.second == y.second ||
                  (std::isnan(x.second) && std::isnan(y.second));
         });
}

double training_seconds(const Side& side)
{
  const campaign::Run& run = side.runs.begin()->second;
  const auto found = run.metrics.find("training_seconds");
  return found == run.metrics.end() ? NAN : found->second;
}

} // namespace

int main(int argc, char** argv)
{
  const size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60;
  const size_t workers = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2;
  const std::string program = argc > 3 ? argv[3] : "sentence_classifier";
  const run::Environment environment =
      run::discover_environment(FL_SOURCE_DIR, catalog::data_sets());
  const std::filesystem::path file =
      std::filesystem::path(FL_SOURCE_DIR) / "programs" / program / "campaign.toml";
  Result<campaign::Spec> spec = campaign::load_spec(file);
  if (!spec) {
    stop(spec.error());
  }
  Subject subject{*std::move(spec), {}, {}};
  subject.spec.clean_repeats = 3;
  subject.spec.metrics.push_back(
      {"training_seconds", "", "metrics.json", "training_seconds", {}, {}, false});
  {
    campaign::Engine engine(subject.spec, environment, {});
    campaign::PlanOptions options;
    options.most_variants = count;
    Result<campaign::Plan> plan = campaign::make_plan(
        subject.spec, environment, engine, [](std::string_view) {}, options);
    if (!plan) {
      stop(plan.error());
    }
    subject.plan = *std::move(plan);
    Result<std::string> reference =
        engine.measure_reference(subject.plan.data.variants, subject.plan.coverage, 0);
    if (!reference) {
      stop(reference.error());
    }
    subject.reference = *std::move(reference);
  }
  std::vector<const campaign::VariantRecord*> variants;
  for (const campaign::VariantRecord& record : subject.plan.data.variants) {
    variants.push_back(&record);
  }

  EngineConfig plain;
  plain.compare_values = false;
  plain.compare_states = false;
  const Side forked = run_side(subject, environment, variants, plain, workers);
  const Side fast = run_side(subject, environment, variants, {}, workers);
  EngineConfig from_nothing;
  from_nothing.mode = Mode::cold;
  const Side cold = run_side(subject, environment, variants, from_nothing, workers);

  size_t same = 0;
  for (const auto& [id, run] : cold.runs) {
    same += agrees(run, fast.runs.at(id)) && agrees(run, forked.runs.at(id)) ? 1 : 0;
  }
  const auto rate = [&variants](const Side& side) {
    return static_cast<double>(variants.size()) / side.seconds * 60;
  };
  std::cout << format("{} variants, {} workers\n", variants.size(), workers)
            << format("each started cold   {:7.1f} a minute\n", rate(cold))
            << format("plain forking       {:7.1f} a minute  {:.2f} x cold\n",
                      rate(forked),
                      rate(forked) / rate(cold))
            << format(
                   "the whole engine    {:7.1f} a minute  {:.2f} x cold, {:.2f} x plain forking\n",
                   rate(fast),
                   rate(fast) / rate(cold),
                   rate(fast) / rate(forked))
            << format("same symptom and metrics on all sides: {} of {}\n", same, variants.size());

  // Variants that train to the end, with twice the epochs.
  std::vector<const campaign::VariantRecord*> whole;
  for (const campaign::VariantRecord* record : variants) {
    const campaign::Run& run = fast.runs.at(record->variant.id);
    if (run.decision == campaign::Decision::ran && run.symptom != campaign::Symptom::crash &&
        run.metrics.contains("training_seconds") && whole.size() < 8) {
      whole.push_back(record);
    }
  }
  Subject longer = subject;
  longer.spec.command.insert(longer.spec.command.end(), {"--epochs", "25"});
  {
    campaign::Engine engine(longer.spec, environment, {});
    Result<std::string> reference =
        engine.measure_reference(longer.plan.data.variants, longer.plan.coverage, 0);
    if (!reference) {
      stop(reference.error());
    }
    longer.reference = *std::move(reference);
  }
  // In turns, so that whatever else the machine does falls on both.
  std::vector<double> bare;
  std::vector<double> ratios;
  for (const campaign::VariantRecord* variant : whole) {
    const double from_start =
        training_seconds(run_side(longer, environment, {variant}, from_nothing, 1));
    const double in_engine = training_seconds(run_side(longer, environment, {variant}, {}, 1));
    bare.push_back(from_start);
    ratios.push_back(in_engine / from_start);
  }
  if (!whole.empty()) {
    std::cout << format("{} variants with 25 epochs: training takes {:.2f} s from nothing, in the "
                        "engine {:+.1f} % (medians)\n",
                        whole.size(),
                        stats::median(bare),
                        (stats::median(ratios) - 1) * 100);
  }
  return same == variants.size() ? 0 : 1;
}
