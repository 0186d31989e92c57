#include "campaign/engine.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/cold_run.hpp"
#include "campaign/known_clean.hpp"
#include "campaign/probe_order.hpp"
#include "campaign/run_all.hpp"
#include "run/cold_start.hpp"

#include <optional>

namespace faultline::campaign {

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
  const auto ask = [&](const std::string& what, const Json& order) -> Result<run::RunOutcome> {
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
    order["variants"].push_back(order_of(record.variant));
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
  FL_TRY(Originals * originals, m_state->texts());
  RunAll all({m_state->spec,
              m_state->environment,
              m_state->config,
              *originals,
              repeat,
              limit_seconds,
              workers,
              on_done},
             reference);
  return all.run(variants);
}

} // namespace faultline::campaign
