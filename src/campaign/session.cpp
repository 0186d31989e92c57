#include "campaign/session.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/plan.hpp"
#include "run/interrupt.hpp"
#include "source/patch.hpp"
#include "stats/two_samples.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace faultline::campaign {

// However short the clean program is, a variant gets this long: starting a sandbox on a busy
// machine is no hang.
constexpr double k_least_limit_seconds = 5;

size_t workers_of(const SessionOptions& options)
{
  return options.workers != 0 ? options.workers
                              : std::max<size_t>(1, std::thread::hardware_concurrency());
}

double limit_of(const Data& data)
{
  std::vector<double> seconds;
  for (const Run& run : data.clean) {
    seconds.push_back(run.seconds);
  }
  const double middle = seconds.empty() ? 0 : stats::median(seconds);
  return std::max(data.spec.time_limit_factor * middle, k_least_limit_seconds);
}

Result<std::string>
reference_of(Store& store, const Data& data, Engine& engine, Mode mode, int repeat)
{
  if (mode == Mode::cold) {
    return std::string();
  }
  // Another process may plan anew meanwhile: what was measured belongs to these variants only.
  Digest plan;
  plan.add(data.clean_address);
  for (const VariantRecord& record : data.variants) {
    plan.add(record.address);
  }
  const std::string key = format("reference {} {}", repeat, plan.hex());
  FL_TRY(std::string reference, store.note(key));
  if (reference.empty()) {
    FL_TRY(const std::string kept, store.note("coverage"));
    FL_TRY(const Coverage coverage, parse_coverage(kept));
    FL_TRY(reference, engine.measure_reference(data.variants, coverage, repeat));
    FL_CHECK(store.put_note(key, reference));
  }
  return reference;
}

Standing standing_of(const Data& data)
{
  Standing standing;
  standing.finished = data.runs.size();
  standing.total = data.variants.size() * static_cast<size_t>(data.spec.repeats);
  for (const Run& run : data.runs) {
    ++standing.symptoms[run.symptom];
  }
  return standing;
}

namespace {

// Judges and stores what comes in, from any thread, and counts.
class Recorder {
public:
  Recorder(Store& store, const Data& data, const SessionOptions& options)
      : m_store(store), m_spec(data.spec), m_bounds(bounds_of(data.clean, data.spec)),
        m_addresses(addresses_of(data)), m_options(options), m_standing(standing_of(data))
  {
  }

  // Whatever else the machine does makes runs slower, too: such a run counts when it is seen again.
  void add(Observed seen)
  {
    seen.run.symptom = judge(seen.run, m_bounds, m_spec);
    if (is_speed(seen.run.symptom)) {
      const std::lock_guard lock(m_mutex);
      m_suspects.push_back(seen.run.variant);
      return;
    }
    add_for_good(std::move(seen));
  }

  std::vector<std::string> take_suspects() { return std::exchange(m_suspects, {}); }

  void add_for_good(Observed seen)
  {
    seen.run.symptom = judge(seen.run, m_bounds, m_spec);
    Result<void> kept = m_store.put(m_addresses.at(seen.run.variant), seen.run, seen.log);
    const std::lock_guard lock(m_mutex);
    if (!kept) {
      m_trouble = m_trouble ? m_trouble : std::optional(std::move(kept).error());
      return;
    }
    ++m_standing.finished;
    ++m_standing.symptoms[seen.run.symptom];
    m_options.on_progress(m_standing);
  }

  Result<void> result() const { return m_trouble ? Result<void>(*m_trouble) : Result<void>(); }

private:
  static bool is_speed(Symptom symptom)
  {
    return symptom == Symptom::slower || symptom == Symptom::faster;
  }

  Store& m_store;
  const Spec& m_spec;
  Bounds m_bounds;
  std::map<std::string, std::string> m_addresses;
  std::vector<std::string> m_suspects;
  const SessionOptions& m_options;
  std::mutex m_mutex;
  Standing m_standing;
  std::optional<Error> m_trouble;
};

} // namespace

Result<void>
run_missing(Store& store, const run::Environment& environment, const SessionOptions& options)
{
  FL_TRY(const Data data, store.load());
  using Missing = std::vector<std::pair<std::string, int>>;
  FL_TRY(const Missing missing, store.missing());
  if (!missing.empty()) {
    FL_CHECK(check_unchanged(store, data, environment));
  }
  std::map<std::string, const VariantRecord*> by_id;
  for (const VariantRecord& record : data.variants) {
    by_id[record.variant.id] = &record;
  }
  std::map<int, std::vector<const VariantRecord*>> by_repeat;
  for (const auto& [id, repeat] : missing) {
    by_repeat[repeat].push_back(by_id.at(id));
  }
  Engine engine(data.spec, environment, options.engine);
  Recorder recorder(store, data, options);
  for (const auto& [repeat, variants] : by_repeat) {
    if (options.engine.mode != Mode::cold) {
      options.say("what the clean program computes");
    }
    FL_TRY(const std::string reference,
           reference_of(store, data, engine, options.engine.mode, repeat));
    FL_CHECK(engine.run_all(variants,
                            repeat,
                            reference,
                            limit_of(data),
                            workers_of(options),
                            [&recorder](Observed seen) { recorder.add(std::move(seen)); }));
    std::vector<const VariantRecord*> again;
    for (const std::string& id : recorder.take_suspects()) {
      again.push_back(by_id.at(id));
    }
    if (!again.empty() && !run::interrupted()) {
      options.say(format("{} again that took another time", again.size()));
      FL_CHECK(engine.run_all(again, repeat, reference, limit_of(data), 1, [&](Observed seen) {
        recorder.add_for_good(std::move(seen));
      }));
    }
    FL_CHECK(recorder.result());
    if (run::interrupted()) {
      return {};
    }
  }
  FL_TRY(const Missing left, store.missing());
  return left.empty() && data.finished.empty() ? store.put_finished(utc_now()) : Result<void>();
}

Result<std::string> diff_of(Store& store, const inject::Variant& variant)
{
  FL_TRY(std::string text, store.note("original " + original_key(variant)));
  const FileTree before = {{variant.file, std::move(text)}};
  FL_TRY(std::string changed, inject::changed_text(variant, before));
  return source::print_patch(source::make_patch(before, {{variant.file, std::move(changed)}}));
}

} // namespace faultline::campaign
