#include "campaign/engine.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/template.hpp"
#include "run/cold_start.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

namespace faultline::campaign {

// How many variants one template serves. Each template runs the clean program once, so few make
// that dear; with many the last one keeps the others waiting.
constexpr size_t k_most_per_template = 128;
constexpr size_t k_templates_per_worker = 3;

// Inside the sandbox: what a program may write to, and its own folder in there.
constexpr std::string_view k_program_folder = "/fault/program";

struct Engine::State {
  const Spec& spec;
  const run::Environment& environment;
  EngineConfig config;
  std::optional<Originals> originals;

  Result<Originals*> texts()
  {
    if (!originals) {
      FL_TRY(Originals read, Originals::read(spec, environment));
      originals.emplace(std::move(read));
    }
    return &*originals;
  }
};

namespace {

bool is_source_level(const inject::Variant& variant)
{
  const inject::Operator* op = inject::find_operator(variant.op);
  return op != nullptr && op->level == inject::Level::source;
}

// What the probes are told of a variant. `early`: its effect is that of one expression, so what the
// reference run saw of that expression says when it can differ.
Json variant_json(const inject::Variant& variant)
{
  Json edits = Json::array();
  for (const source::Edit& edit : variant.edits) {
    edits.push_back({edit.begin, edit.end, edit.text});
  }
  return {{"file", variant.file},
          {"own", variant.library.empty()},
          {"edits", std::move(edits)},
          {"early", is_source_level(variant)}};
}

Json segments_json(const Coverage& coverage, const std::vector<VariantRecord>& variants)
{
  Json files = Json::object();
  for (const VariantRecord& record : variants) {
    const auto found = coverage.segments.find(record.variant.file);
    if (found == coverage.segments.end() || files.contains(record.variant.file)) {
      continue;
    }
    Json& lines = files[record.variant.file] = Json::object();
    for (const auto& [line, segments] : found->second) {
      lines[format("{}", line)] = segments;
    }
  }
  return files;
}

Start start_named(std::string_view kind)
{
  for (const Start start : {Start::function, Start::defaults, Start::module}) {
    if (name_of(start) == kind) {
      return start;
    }
  }
  return Start::cold;
}

double number_in(const Json& json, const char* key, double otherwise)
{
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>()
                                                                         : otherwise;
}

// What `measure_reference` found, read back.
class KnownClean {
public:
  explicit KnownClean(const std::string& text) : m_json(parse_json(text))
  {
    if (m_json.is_discarded() || !m_json.is_object()) {
      m_json = Json::object();
    }
  }

  // For the probe: states, and the functions that are called before the program begins.
  Json probe_json() const
  {
    Json json = m_json.value("states", Json::object());
    json["early"] = m_json.value("early", Json::array());
    return json;
  }
  // Segments in which a variant can differ; null if that is not known.
  Json differs(const std::string& id) const
  {
    const auto found = m_json.find("differs");
    return found != m_json.end() && found->contains(id) ? (*found)[id] : Json();
  }
  bool never_differs(const std::string& id) const
  {
    const Json segments = differs(id);
    return segments.is_array() && segments.empty();
  }
  std::map<std::string, double> metrics() const
  {
    std::map<std::string, double> metrics;
    const Json known = m_json.value("metrics", Json::object());
    for (const auto& [name, value] : known.items()) {
      metrics[name] = value.get<double>();
    }
    return metrics;
  }
  double cpu_seconds() const { return number_in(states(), "cpu", 0); }
  double wall_seconds() const { return number_in(states(), "wall", 0); }
  // What the clean run still takes after its first `checkpoints`.
  double cpu_after(size_t checkpoints) const
  {
    return cpu_seconds() - at(checkpoints, "cpu_at", cpu_seconds());
  }
  double wall_after(size_t checkpoints) const
  {
    return wall_seconds() - at(checkpoints, "wall_at", wall_seconds());
  }

private:
  const Json& states() const
  {
    static const Json k_none = Json::object();
    const auto found = m_json.find("states");
    return found == m_json.end() ? k_none : *found;
  }
  double at(size_t checkpoints, const char* key, double otherwise) const
  {
    const Json& all = states();
    return checkpoints > 0 && all.contains(key) && all[key].size() >= checkpoints
               ? all[key][checkpoints - 1].get<double>()
               : otherwise;
  }

  Json m_json;
};

// A variant that is the clean program, by what is known of that.
Observed vouched(const KnownClean& clean, const std::string& variant, int repeat)
{
  Observed observed;
  observed.log = "(not run: in the clean run the changed code never had another effect)\n";
  observed.run.variant = variant;
  observed.run.repeat = repeat;
  observed.run.start = Start::none;
  observed.run.decision = Decision::same_value;
  observed.run.metrics = clean.metrics();
  observed.run.seconds = clean.wall_seconds();
  observed.run.cpu_seconds = clean.cpu_seconds();
  return observed;
}

// The variants of one template, while it runs.
class Batch {
public:
  Batch(const Spec& spec,
        const KnownClean& clean,
        std::span<const VariantRecord* const> variants,
        int repeat)
      : m_spec(spec), m_clean(clean), m_variants(variants), m_repeat(repeat),
        m_put_off(variants.size())
  {
  }

  const std::string& id(size_t variant) const { return m_variants[variant]->variant.id; }

  // What the end of a fork means: put off, or a run.
  Result<std::optional<Observed>> take(ForkEnd end)
  {
    const std::string decision =
        end.result.is_object() ? end.result.value("decision", "ran") : std::string("ran");
    const double spent = end.outcome.cpu_seconds;
    const int checkpoints = static_cast<int>(number_in(end.result, "checkpoints", 0));
    PutOff& before = m_put_off[end.variant];
    if (decision == "defer") {
      before = {end.kind, spent, checkpoints};
      return std::optional<Observed>();
    }
    end.outcome.result = print_json_compact(end.result);
    FL_TRY(Observed observed, observe(m_spec, end.outcome, id(end.variant), m_repeat));
    Run& run = observed.run;
    const bool again = end.kind == "deferred";
    run.start = start_named(again ? before.kind : end.kind);
    run.seconds = number_in(end.result, "wall", end.prefix_seconds + end.outcome.wall_seconds);
    run.cpu_seconds = number_in(end.result, "cpu_seconds", end.prefix_seconds + spent);
    run.spent_seconds = spent + before.spent;
    run.checkpoints = checkpoints + before.checkpoints;
    if (decision == "same-state") {
      const auto passed = static_cast<size_t>(number_in(end.result, "passed", 0));
      run.metrics = m_clean.metrics();
      run.cpu_seconds += m_clean.cpu_after(passed);
      run.seconds += m_clean.wall_after(passed);
      observed.log +=
          format("(ended at checkpoint {}: from there on it is the clean run)\n", passed);
    }
    if (decision == "same-state" || again) {
      run.decision = Decision::same_state;
    }
    return std::optional(std::move(observed));
  }

private:
  struct PutOff {
    std::string kind;
    double spent = 0;
    int checkpoints = 0;
  };

  const Spec& m_spec;
  const KnownClean& m_clean;
  std::span<const VariantRecord* const> m_variants;
  int m_repeat;
  std::vector<PutOff> m_put_off;
};

// Everything that the probes need of the program and its variants.
Json order_json(const Spec& spec, const FileTree& program, const run::Job& job, int repeat)
{
  Json order;
  order["root"] = k_program_folder;
  order["scratch"] = run::k_folder;
  order["files"] = program;
  const std::vector<std::string> words = command_of(spec, repeat);
  order["arguments"] = std::vector<std::string>(words.begin() + 1, words.end());
  order["variables"] = job.variables;
  order["checkpoint"] = spec.checkpoint;
  order["json"] = Json::array();
  for (const Metric& metric : spec.metrics) {
    if (!metric.json.empty()) {
      order["json"].push_back(metric.json);
    }
  }
  order["variants"] = Json::array();
  return order;
}

} // namespace

Engine::Engine(const Spec& spec, const run::Environment& environment, EngineConfig config)
    : m_state(std::make_unique<State>(State{spec, environment, config, std::nullopt}))
{
}

Engine::~Engine() = default;

Result<Observed> Engine::run_clean(int repeat)
{
  FL_TRY(Originals * originals, m_state->texts());
  return run_cold(m_state->spec,
                  m_state->environment,
                  m_state->config.isolation,
                  *originals,
                  nullptr,
                  repeat,
                  k_clean_limit_seconds);
}

Result<std::string> Engine::measure_reference(const std::vector<VariantRecord>& variants,
                                              const Coverage& coverage,
                                              int repeat)
{
  const Spec& spec = m_state->spec;
  const run::Environment& environment = m_state->environment;
  FL_TRY(Originals * originals, m_state->texts());
  const auto ask = [&](const std::string& what, Json order) -> Result<run::RunOutcome> {
    FL_TRY(run::Job job,
           program_job(spec,
                       environment,
                       originals->program(),
                       "campaign_run.py",
                       order,
                       repeat,
                       k_clean_limit_seconds));
    job.mounts.push_back({environment.probes, "/probes"});
    job.command = {environment.python->path.string(),
                   "/probes/faultline_campaign/reference.py",
                   what,
                   "../faultline/setup.json"};
    run::RunOutcome outcome = run::run_cold(job, m_state->config.isolation);
    if (!outcome.succeeded()) {
      const std::string_view log = trim(outcome.log);
      return Error{ErrorKind::machine,
                   format("the clean program failed under the campaign's probe ({}): {}",
                          run::describe(outcome),
                          log.substr(log.rfind('\n') + 1))};
    }
    return outcome;
  };

  FL_TRY(const run::Job plain,
         program_job(spec, environment, {}, "campaign_run.py", Json::object(), repeat, 1));
  Json order = order_json(spec, originals->program(), plain, repeat);
  order["mode"] = "fast";
  FL_TRY(const run::RunOutcome states, ask("states", order));
  for (const VariantRecord& record : variants) {
    order["variants"].push_back(variant_json(record.variant));
  }
  order["segments"] = segments_json(coverage, variants);
  FL_TRY(const run::RunOutcome values, ask("values", order));

  const Json known_states = parse_json(states.result);
  const Json known_values = parse_json(values.result);
  if (!known_states.is_object() || !known_values.is_object()) {
    return Error{ErrorKind::internal, "the campaign's probe gave no answer"};
  }
  run::RunOutcome told = states;
  FL_TRY(const Observed observed, observe(spec, told, "", repeat));
  Json reference;
  reference["states"] = known_states;
  reference["metrics"] = observed.run.metrics;
  reference["early"] = known_values.value("early", Json::array());
  reference["differs"] = Json::object();
  for (size_t i = 0; i < variants.size(); ++i) {
    reference["differs"][variants[i].variant.id] = known_values["differs"].at(i);
  }
  return print_json_compact(reference);
}

Result<void> Engine::run_all(const std::vector<const VariantRecord*>& variants,
                             int repeat,
                             const std::string& reference,
                             double limit_seconds,
                             size_t workers,
                             const std::function<void(Observed)>& on_done)
{
  const Spec& spec = m_state->spec;
  const EngineConfig& config = m_state->config;
  FL_TRY(Originals * originals, m_state->texts());
  const KnownClean clean(reference);
  std::mutex mutex;
  std::optional<Error> trouble;
  const auto note = [&](const Error& error) {
    const std::lock_guard lock(mutex);
    trouble = trouble ? trouble : std::optional(error);
  };
  const auto start_cold = [&](const VariantRecord& record) {
    Result<Observed> observed = run_cold(spec,
                                         m_state->environment,
                                         config.isolation,
                                         *originals,
                                         &record.variant,
                                         repeat,
                                         limit_seconds);
    if (observed) {
      on_done(*std::move(observed));
    } else if (!run::interrupted()) {
      note(observed.error());
    }
  };

  if (config.mode == Mode::cold || config.isolation == run::Isolation::none) {
    run::for_each_parallel(
        variants.size(),
        workers,
        [] { return 0; },
        [&](int, size_t i) { start_cold(*variants[i]); });
    return trouble ? Result<void>(*trouble) : Result<void>();
  }

  const bool fast = config.mode == Mode::fast;
  std::vector<const VariantRecord*> open;
  for (const VariantRecord* record : variants) {
    if (fast && config.compare_values && clean.never_differs(record->variant.id)) {
      on_done(vouched(clean, record->variant.id, repeat));
    } else {
      open.push_back(record);
    }
  }

  FL_TRY(run::Job job,
         program_job(spec,
                     m_state->environment,
                     {},
                     "campaign_run.py",
                     Json::object(),
                     repeat,
                     limit_seconds));
  TemplateOrder base{order_json(spec, originals->program(), job, repeat), job.mounts, job.limits};
  base.json["mode"] = fast && config.share_prefix ? "fast" : "exact";
  base.json["compare_states"] = fast && config.compare_states;
  base.json["reference"] = clean.probe_json();

  const size_t share = (open.size() + workers * k_templates_per_worker - 1) /
                       std::max<size_t>(1, workers * k_templates_per_worker);
  const size_t size = std::clamp<size_t>(share, 1, k_most_per_template);
  const size_t batches = (open.size() + size - 1) / size;
  const auto run_batch = [&](int, size_t number) {
    const std::span<const VariantRecord* const> chosen =
        std::span(open).subspan(number * size, std::min(size, open.size() - number * size));
    TemplateOrder order = base;
    for (const VariantRecord* record : chosen) {
      Json json = variant_json(record->variant);
      json["differs"] = clean.differs(record->variant.id);
      order.json["variants"].push_back(std::move(json));
    }
    Batch batch(spec, clean, chosen, repeat);
    Result<std::vector<LeftOver>> left_over =
        run_template(m_state->environment, order, [&](ForkEnd end) {
          Result<std::optional<Observed>> taken = batch.take(std::move(end));
          if (!taken) {
            note(taken.error());
            return NextStep::go_on;
          }
          if (!*taken) {
            return NextStep::put_off;
          }
          on_done(**std::move(taken));
          return NextStep::go_on;
        });
    if (!left_over) {
      note(left_over.error());
      return;
    }
    for (const LeftOver& left : *left_over) {
      if (run::interrupted()) {
        return;
      }
      if (fast && left.reason == k_never_entered) {
        on_done(vouched(clean, batch.id(left.variant), repeat));
      } else {
        start_cold(*chosen[left.variant]);
      }
    }
  };
  run::for_each_parallel(
      batches, workers, [] { return 0; }, run_batch);
  return trouble ? Result<void>(*trouble) : Result<void>();
}

} // namespace faultline::campaign
