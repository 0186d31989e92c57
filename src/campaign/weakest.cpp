#include "campaign/weakest.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/metrics.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

namespace faultline::campaign {

constexpr double k_significant = 0.05;
constexpr double k_least_effect = 0.5;

Trial compare(std::string setting,
              std::vector<double> values,
              int failed,
              const std::vector<double>& clean,
              bool higher_is_better)
{
  Trial trial{std::move(setting), std::move(values), failed, 1, 0, false};
  const size_t runs = trial.values.size() + static_cast<size_t>(failed);
  if (trial.values.size() >= 2 && clean.size() >= 2) {
    trial.p = stats::welch_t_test(trial.values, clean).p;
    trial.effect = stats::cohens_d(clean, trial.values) * (higher_is_better ? 1 : -1);
  }
  trial.noticed = (trial.p < k_significant && trial.effect >= k_least_effect) ||
                  (runs > 0 && static_cast<size_t>(failed) * 2 >= runs);
  return trial;
}

namespace {

// "0.25", "12": short, and the same number again when it is read.
std::string print_value(double value, double precision)
{
  return precision >= 1 ? format("{:.0f}", value) : format("{:.6g}", value);
}

class Search {
public:
  Search(const Spec& spec,
         const run::Environment& environment,
         const WeakestOptions& options,
         Originals& originals)
      : m_spec(spec), m_environment(environment), m_options(options), m_originals(originals)
  {
  }

  Result<void> measure_clean()
  {
    m_options.say(format("{} clean runs", m_options.repeats));
    FL_TRY(Sample sample, run_all(nullptr, k_clean_limit_seconds));
    if (sample.failed > 0 || sample.values.empty()) {
      return Error{ErrorKind::bad_data,
                   format("{}: the clean program fails or does not give {}",
                          m_spec.file.string(),
                          m_spec.metrics.front().name)};
    }
    m_clean = std::move(sample.values);
    m_limit = std::max(5.0, m_spec.time_limit_factor * sample.seconds);
    return {};
  }

  // Variants with this setting, in the order of their places.
  std::vector<inject::Variant> variants(const std::string& setting) const
  {
    inject::Selection selection;
    selection.operators = {m_options.op};
    selection.setting = setting;
    return inject::make_variants(m_originals.program(), selection);
  }

  Result<Weakest> search(const inject::Variant& place)
  {
    Weakest found{place.file, place.line, {}, std::nullopt};
    const inject::Setting& setting = m_options.op->setting;
    const std::optional<double> least = number(setting.values.front());
    const std::optional<double> most = number(setting.values.back());
    if (setting.search == inject::Search::binary && least && most) {
      FL_CHECK(search_between(place, *least, *most, found));
    } else {
      for (const std::string_view value : setting.values) {
        FL_TRY(const bool noticed, attempt(place, std::string(value), found));
        if (noticed || run::interrupted()) {
          break;
        }
      }
    }
    return found;
  }

private:
  struct Sample {
    std::vector<double> values;
    int failed = 0;
    double seconds = 0; // the longest
  };

  static std::optional<double> number(std::string_view text) { return parse_number(text); }

  Result<void>
  search_between(const inject::Variant& place, double least, double most, Weakest& found)
  {
    const double precision = m_options.op->setting.precision;
    FL_TRY(const bool noticed, attempt(place, print_value(most, precision), found));
    if (!noticed) {
      return {};
    }
    const double step = precision > 0 ? precision : std::abs(most - least) / 20;
    while (std::abs(most - least) > step && !run::interrupted()) {
      const double middle = precision >= 1 ? std::round((least + most) / 2) : (least + most) / 2;
      if (middle == least || middle == most) {
        break;
      }
      FL_TRY(const bool still, attempt(place, print_value(middle, precision), found));
      (still ? most : least) = middle;
    }
    return {};
  }

  // Try one setting at a place. A setting that changes nothing there is not noticed.
  Result<bool> attempt(const inject::Variant& place, const std::string& setting, Weakest& found)
  {
    const std::vector<inject::Variant> all = variants(setting);
    const auto variant = std::ranges::find_if(all, [&place](const inject::Variant& v) {
      return v.file == place.file && v.line == place.line && v.column == place.column;
    });
    if (variant == all.end()) {
      return false;
    }
    m_options.say(
        format("{}:{} {} = {}", place.file, place.line, m_options.op->setting.name, setting));
    FL_TRY(Sample sample, run_all(&*variant, m_limit));
    found.trials.push_back(compare(setting,
                                   std::move(sample.values),
                                   sample.failed,
                                   m_clean,
                                   m_spec.metrics.front().higher_is_better));
    if (found.trials.back().noticed) {
      found.setting = setting;
    }
    return found.trials.back().noticed;
  }

  Result<Sample> run_all(const inject::Variant* variant, double limit_seconds)
  {
    Sample sample;
    std::mutex mutex;
    std::optional<Error> trouble;
    const size_t workers = m_options.workers != 0
                               ? m_options.workers
                               : std::max<size_t>(1, std::thread::hardware_concurrency());
    run::for_each_parallel(
        static_cast<size_t>(m_options.repeats),
        workers,
        [] { return 0; },
        [&](int, size_t repeat) {
          const Result<Observed> seen = run_cold(m_spec,
                                                 m_environment,
                                                 m_options.isolation,
                                                 m_originals,
                                                 variant,
                                                 static_cast<int>(repeat),
                                                 limit_seconds);
          const std::lock_guard lock(mutex);
          if (!seen) {
            trouble = seen.error();
            return;
          }
          const auto metric = seen->run.metrics.find(m_spec.metrics.front().name);
          if (seen->run.symptom == Symptom::normal && metric != seen->run.metrics.end() &&
              std::isfinite(metric->second)) {
            sample.values.push_back(metric->second);
          } else {
            ++sample.failed;
          }
          sample.seconds = std::max(sample.seconds, seen->run.seconds);
        });
    if (trouble) {
      return *trouble;
    }
    std::ranges::sort(sample.values);
    return sample;
  }

  const Spec& m_spec;
  const run::Environment& m_environment;
  const WeakestOptions& m_options;
  Originals& m_originals;
  std::vector<double> m_clean;
  double m_limit = 0;
};

} // namespace

Result<std::vector<Weakest>>
find_weakest(const Spec& spec, const run::Environment& environment, const WeakestOptions& options)
{
  const inject::Setting& setting = options.op->setting;
  if (setting.values.empty()) {
    return Error{ErrorKind::usage,
                 format("{} has no setting to search (see `faultline explain {}`)",
                        options.op->code,
                        options.op->code)};
  }
  FL_TRY(Originals originals, Originals::read(spec, environment));
  Search search(spec, environment, options, originals);
  const std::vector<inject::Variant> places = search.variants(std::string(setting.values.back()));
  if (places.empty()) {
    return Error{ErrorKind::bad_data,
                 format("{}: {} finds nothing to change in the program",
                        spec.file.string(),
                        options.op->code)};
  }
  FL_CHECK(search.measure_clean());
  std::vector<Weakest> all;
  for (const inject::Variant& place : places) {
    FL_TRY(Weakest found, search.search(place));
    all.push_back(std::move(found));
    if (run::interrupted()) {
      break;
    }
  }
  return all;
}

} // namespace faultline::campaign
