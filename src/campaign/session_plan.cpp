// The plan of a campaign: made, and kept in step with what it was made from.

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/ingredients.hpp"
#include "campaign/plan.hpp"
#include "campaign/session.hpp"

#include <algorithm>
#include <utility>

namespace faultline::campaign {

namespace fs = std::filesystem;

static std::string_view name_of(Mode mode)
{
  return mode == Mode::fast ? "fast" : mode == Mode::exact ? "exact" : "cold";
}

bool is_planned(Store& store)
{
  const Result<std::string> note = store.note("planned");
  return note && !note->empty();
}

Result<Spec> current_spec(const Data& data)
{
  std::error_code code;
  if (!fs::is_regular_file(data.spec.file, code)) {
    return data.spec;
  }
  FL_TRY(Spec spec, load_spec(data.spec.file));
  spec.data_folder = data.spec.data_folder;
  spec.executor = data.spec.executor;
  spec.workers = data.spec.workers;
  return spec;
}

Result<std::optional<size_t>> planned_limit(Store& store)
{
  FL_TRY(const std::string limit, store.note("limit"));
  return limit.empty() ? std::optional<size_t>() : std::optional<size_t>(std::stoul(limit));
}

// The ingredients that the campaign was planned with.
static Result<Ingredients> ingredients_in(Store& store)
{
  FL_TRY(const std::string kept, store.note("ingredients"));
  if (kept.empty()) {
    return Error{ErrorKind::bad_data,
                 format("the campaign in {} was planned by an earlier version of faultline, which "
                        "did not note what its runs depend on: it can be read, but to run it start "
                        "another with --out",
                        store.folder().string())};
  }
  return Ingredients::parse(kept);
}

Result<void> check_unchanged(Store& store, const Data& data, const run::Environment& environment)
{
  FL_TRY(const Ingredients then, ingredients_in(store));
  FL_TRY(const Ingredients now, Ingredients::of(data.spec, environment, std::nullopt, ""));
  const std::vector<std::string> changed = now.changes_since(then, Reach::runs);
  if (!changed.empty()) {
    return Error{ErrorKind::bad_data,
                 format("changed since the campaign was planned: {}; `faultline campaign resume` "
                        "brings it up to date",
                        join(changed, ", "))};
  }
  return {};
}

// Symptoms compare with the clean runs and with the campaign file's ranges, either of which may
// have changed around a run that was kept.
static Result<void> judge_again(Store& store, const Data& data)
{
  const Bounds bounds = bounds_of(data.clean, data.spec);
  const std::map<std::string, std::string> addresses = addresses_of(data);
  std::vector<std::pair<std::string, Run>> changed;
  for (const std::vector<Run>* runs : {&data.clean, &data.runs}) {
    for (Run run : *runs) {
      const Symptom symptom = judge(run, bounds, data.spec);
      if (symptom != std::exchange(run.symptom, symptom)) {
        changed.emplace_back(addresses.at(run.variant), std::move(run));
      }
    }
  }
  return changed.empty() ? Result<void>() : store.put_symptoms(changed);
}

namespace {

// One plan to be made.
class Planning {
public:
  Planning(Store& store,
           const Spec& spec,
           const run::Environment& environment,
           const SessionOptions& options)
      : m_store(store), m_spec(spec), m_environment(environment), m_options(options)
  {
  }

  Result<Ingredients> ingredients() const
  {
    return Ingredients::of(m_spec, m_environment, m_options.most_variants, m_options.version);
  }

  Result<void> make(const Ingredients& ingredients)
  {
    Engine engine(m_spec, m_environment, m_options.engine);
    PlanOptions settings;
    settings.isolation = m_options.engine.isolation;
    settings.most_variants = m_options.most_variants;
    settings.known_clean = [&](int repeat) { return known_clean(ingredients, repeat); };
    FL_TRY(Plan plan, make_plan(m_spec, m_environment, engine, m_options.say, settings));
    FL_TRY(const Ingredients now, this->ingredients());
    if (const std::vector<std::string> moved = now.changes_since(ingredients); !moved.empty()) {
      return Error{
          ErrorKind::bad_data,
          format("changed while the campaign was planned: {}; run it again", join(moved, ", "))};
    }
    FL_CHECK(add_addresses(plan, ingredients));
    return put(plan, ingredients);
  }

private:
  Result<std::optional<Observed>> known_clean(const Ingredients& ingredients, int repeat)
  {
    const std::string address = ingredients.clean_address();
    FL_TRY(std::optional<Run> run, m_store.run_at(address, repeat));
    FL_TRY(std::optional<std::string> log, m_store.log_at(address, repeat));
    return run && log ? std::optional(Observed{*std::move(run), *std::move(log)}) : std::nullopt;
  }

  static Result<void> add_addresses(Plan& plan, const Ingredients& ingredients)
  {
    plan.data.clean_address = ingredients.clean_address();
    for (VariantRecord& record : plan.data.variants) {
      const inject::Variant& variant = record.variant;
      const FileTree original = {{variant.file, plan.originals.at(original_key(variant))}};
      FL_TRY(const std::string changed, inject::changed_text(variant, original));
      record.address = ingredients.address_of(variant, changed);
    }
    return {};
  }

  Result<void> put(Plan& plan, const Ingredients& ingredients)
  {
    plan.data.versions["faultline"] = m_options.version;
    plan.data.settings = {{"mode", std::string(name_of(m_options.engine.mode))},
                          {"workers", format("{}", workers_of(m_options))},
                          {"executor", m_spec.executor}};
    std::map<std::string, std::string> notes;
    for (const auto& [key, text] : plan.originals) {
      notes["original " + key] = text;
    }
    notes["coverage"] = print_coverage(plan.coverage);
    notes["ingredients"] = ingredients.print();
    notes["limit"] = m_options.most_variants ? format("{}", *m_options.most_variants) : "";
    notes["planned"] = utc_now();
    // The runs before the plan: whatever a kill leaves, a plan has its clean runs.
    for (size_t i = 0; i < plan.data.clean.size(); ++i) {
      FL_CHECK(m_store.put(plan.data.clean_address, plan.data.clean[i], plan.clean_logs[i]));
    }
    return m_store.put_plan(plan.data, notes);
  }

  Store& m_store;
  const Spec& m_spec;
  const run::Environment& m_environment;
  const SessionOptions& m_options;
};

} // namespace

// The same plan; only how its runs are counted and judged is new.
static Result<void> count_anew(Store& store, const Spec& spec, const Ingredients& ingredients)
{
  FL_TRY(Data data, store.load());
  data.spec = spec;
  data.finished.clear();
  FL_CHECK(store.put_plan(data));
  return store.put_note("ingredients", ingredients.print());
}

Result<void> plan_campaign(Store& store,
                           const Spec& spec,
                           const run::Environment& environment,
                           const SessionOptions& options)
{
  Planning planning(store, spec, environment, options);
  FL_TRY(const Ingredients now, planning.ingredients());
  if (!is_planned(store)) {
    return planning.make(now);
  }
  FL_TRY(const Ingredients then, ingredients_in(store));
  FL_TRY(const Data before, store.load());
  const std::vector<std::string> changed = now.changes_since(then);
  if (changed.empty() && before.spec.text == spec.text && before.spec.executor == spec.executor) {
    return {};
  }
  if (!changed.empty()) {
    options.tell("changed since the last time: " + join(changed, ", "));
  }
  const bool same_plan = now.changes_since(then, Reach::plan).empty();
  FL_CHECK(same_plan ? count_anew(store, spec, now) : planning.make(now));
  FL_TRY(const Data planned, store.load());
  FL_CHECK(judge_again(store, planned));
  if (!changed.empty()) {
    const Standing standing = standing_of(planned);
    options.tell(format("{} of {} still hold", standing.finished, count_of(standing.total, "run")));
  }
  return {};
}

} // namespace faultline::campaign
