#include "campaign/recheck.hpp"

#include "base/format.hpp"

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

// The first finished run of each variant that is chosen, by the variant's id.
static Result<std::map<std::string, const Run*>> choose(const Data& data, const Choice& choice)
{
  std::vector<const Run*> finished;
  for (const Run& run : data.runs) {
    if (run.repeat == 0 && (choice.variant.empty() || run.variant == choice.variant)) {
      finished.push_back(&run);
    }
  }
  if (!choice.variant.empty() && finished.empty()) {
    return Error{ErrorKind::not_found, format("{} was not run yet", choice.variant)};
  }
  std::ranges::sort(finished, {}, &Run::variant);
  std::mt19937_64 random(choice.seed);
  std::ranges::shuffle(finished, random);
  finished.resize(std::min(choice.sample, finished.size()));
  std::map<std::string, const Run*> chosen;
  for (const Run* run : finished) {
    chosen[run->variant] = run;
  }
  return chosen;
}

namespace {

// Runs variants from nothing and judges them as the campaign's own runs were.
class FromNothing {
public:
  FromNothing(const Data& data, const run::Environment& environment, const SessionOptions& options)
      : m_data(data), m_bounds(bounds_of(data.clean, data.spec)), m_options(options),
        m_engine(data.spec, environment, cold(options.engine))
  {
    for (const VariantRecord& record : data.variants) {
      m_by_id[record.variant.id] = &record;
    }
  }

  Result<void> run(const std::vector<std::string>& ids, const std::function<void(Run)>& use)
  {
    std::vector<const VariantRecord*> variants;
    for (const std::string& id : ids) {
      variants.push_back(m_by_id.at(id));
    }
    std::mutex mutex;
    return m_engine.run_all(
        variants, 0, "", limit_of(m_data), workers_of(m_options), [&](Observed seen) {
          const std::lock_guard lock(mutex);
          seen.run.symptom = judge(seen.run, m_bounds, m_data.spec);
          use(std::move(seen.run));
        });
  }

private:
  static EngineConfig cold(EngineConfig config)
  {
    config.mode = Mode::cold;
    return config;
  }

  const Data& m_data;
  Bounds m_bounds;
  const SessionOptions& m_options;
  Engine m_engine;
  std::map<std::string, const VariantRecord*> m_by_id;
};

} // namespace

Result<std::vector<Rechecked>> recheck(Store& store,
                                       const run::Environment& environment,
                                       const SessionOptions& options,
                                       const Choice& choice)
{
  FL_TRY(const Data data, store.load());
  FL_CHECK(check_unchanged(store, data, environment));
  FL_TRY(auto kept, choose(data, choice));
  std::vector<std::string> chosen;
  for (const auto& [id, run] : kept) {
    chosen.push_back(id);
  }
  FromNothing from_nothing(data, environment, options);
  const auto same_metrics = [&data](const Run& a, const Run& b) {
    return same_numbers(repeatable(a, data.spec), repeatable(b, data.spec));
  };
  std::map<std::string, Rechecked> all;
  Standing standing;
  standing.total = chosen.size();
  FL_CHECK(from_nothing.run(chosen, [&](Run run) {
    const Run& before = *kept.at(run.variant);
    ++standing.finished;
    ++standing.symptoms[run.symptom];
    options.on_progress(standing);
    const bool same_symptom = without_speed(before.symptom) == without_speed(run.symptom);
    all[run.variant] = {run.variant, before, run, same_symptom, same_metrics(before, run)};
  }));
  std::vector<std::string> different;
  for (const auto& [id, each] : all) {
    if (each.differs()) {
      different.push_back(id);
    }
  }
  FL_CHECK(from_nothing.run(different, [&](const Run& run) {
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
