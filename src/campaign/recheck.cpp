#include "campaign/recheck.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <random>

namespace faultline::campaign {

static Symptom without_speed(Symptom symptom)
{
  return symptom == Symptom::slower || symptom == Symptom::faster ? Symptom::normal : symptom;
}

static bool same_numbers(const std::map<std::string, double>& a,
                         const std::map<std::string, double>& b)
{
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first &&
           (x.second == y.second || (std::isnan(x.second) && std::isnan(y.second)));
  });
}

// Metrics that a clean run does not repeat to the bit, such as times, say nothing here.
static std::map<std::string, double> repeatable(const Run& run, const Spec& spec)
{
  std::map<std::string, double> metrics;
  for (const Metric& metric : spec.metrics) {
    const auto found = run.metrics.find(metric.name);
    if (found != run.metrics.end() && metric.name.find("seconds") == std::string::npos) {
      metrics.insert(*found);
    }
  }
  return metrics;
}

Result<std::vector<Rechecked>> recheck(Store& store,
                                       const run::Environment& environment,
                                       const SessionOptions& options,
                                       size_t sample,
                                       uint64_t seed)
{
  FL_TRY(const Data data, store.load());
  FL_CHECK(check_unchanged(store, data, environment));
  std::map<std::string, const VariantRecord*> by_id;
  for (const VariantRecord& record : data.variants) {
    by_id[record.variant.id] = &record;
  }
  std::map<std::string, const Run*> kept;
  std::vector<const VariantRecord*> chosen;
  for (const Run& run : data.runs) {
    if (run.repeat == 0) {
      kept[run.variant] = &run;
      chosen.push_back(by_id.at(run.variant));
    }
  }
  std::ranges::sort(chosen, {}, [](const VariantRecord* r) { return r->variant.id; });
  std::mt19937_64 random(seed);
  std::ranges::shuffle(chosen, random);
  chosen.resize(std::min(sample, chosen.size()));

  const Bounds bounds = bounds_of(data.clean, data.spec);
  EngineConfig config = options.engine;
  config.mode = Mode::cold;
  Engine engine(data.spec, environment, config);
  std::map<std::string, Rechecked> all;
  std::mutex mutex;
  Standing standing;
  standing.total = chosen.size();
  const auto same_metrics = [&data](const Run& a, const Run& b) {
    return same_numbers(repeatable(a, data.spec), repeatable(b, data.spec));
  };
  const auto run_cold = [&](const std::vector<const VariantRecord*>& variants,
                            const std::function<void(Run)>& use) {
    return engine.run_all(variants, 0, "", limit_of(data), workers_of(options), [&](Observed seen) {
      const std::lock_guard lock(mutex);
      seen.run.symptom = judge(seen.run, bounds, data.spec);
      use(std::move(seen.run));
    });
  };
  FL_CHECK(run_cold(chosen, [&](Run run) {
    const Run& before = *kept.at(run.variant);
    ++standing.finished;
    ++standing.symptoms[run.symptom];
    options.on_progress(standing);
    const bool same_symptom = without_speed(before.symptom) == without_speed(run.symptom);
    all[run.variant] = {run.variant, before, run, same_symptom, same_metrics(before, run)};
  }));
  std::vector<const VariantRecord*> different;
  for (const auto& [id, each] : all) {
    if (each.differs()) {
      different.push_back(by_id.at(id));
    }
  }
  FL_CHECK(run_cold(different, [&](const Run& run) {
    Rechecked& each = all.at(run.variant);
    each.repeats_itself = without_speed(each.from_nothing.symptom) == without_speed(run.symptom) &&
                          same_metrics(each.from_nothing, run);
  }));
  std::vector<Rechecked> sorted;
  for (auto& [id, each] : all) {
    sorted.push_back(std::move(each));
  }
  return sorted;
}

} // namespace faultline::campaign
