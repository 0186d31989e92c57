#include "campaign/run_all.hpp"

#include "campaign/probe_order.hpp"
#include "run/cold_start.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

#include <algorithm>

namespace faultline::campaign {

// How many variants one template serves. Each template runs the clean program once, so few make
// that dear; with many the last one keeps the others waiting.
constexpr size_t k_most_per_template = 128;
constexpr size_t k_templates_per_worker = 3;

bool RunAll::is_cold() const
{
  return m_config.engine.mode == Mode::cold || m_config.engine.isolation == run::Isolation::none;
}

void RunAll::note(const Error& error)
{
  const std::lock_guard lock(m_mutex);
  m_trouble = m_trouble ? m_trouble : std::optional(error);
}

void RunAll::start_cold(const VariantRecord& record)
{
  Result<Observed> observed = run_cold(m_config.spec,
                                       m_config.environment,
                                       m_config.engine.isolation,
                                       m_config.originals,
                                       &record.variant,
                                       m_config.repeat,
                                       m_config.limit_seconds);
  if (observed) {
    m_config.on_done(*std::move(observed));
  } else if (!run::interrupted()) {
    note(observed.error());
  }
}

Result<void> RunAll::run_each_cold(Variants variants)
{
  run::for_each_parallel(
      variants.size(),
      m_config.workers,
      [] { return 0; },
      [&](int, size_t i) { start_cold(*variants[i]); });
  return result();
}

std::vector<const VariantRecord*> RunAll::without_equal(Variants variants)
{
  std::vector<const VariantRecord*> open;
  for (const VariantRecord* record : variants) {
    const std::string& id = record->variant.id;
    if (is_fast() && m_config.engine.compare_values && m_clean.never_differs(id)) {
      m_config.on_done(vouched(m_clean, id, m_config.repeat));
    } else {
      open.push_back(record);
    }
  }
  return open;
}

Result<TemplateOrder> RunAll::order_without_variants() const
{
  FL_TRY(run::Job job,
         program_job(m_config.spec,
                     m_config.environment,
                     {},
                     "campaign_run.py",
                     Json::object(),
                     m_config.repeat,
                     m_config.limit_seconds));
  TemplateOrder order{order_json(m_config.spec, m_config.originals.program(), job, m_config.repeat),
                      job.mounts,
                      job.limits};
  order.json["mode"] = is_fast() && m_config.engine.share_prefix ? "fast" : "exact";
  order.json["compare_states"] = is_fast() && m_config.engine.compare_states;
  order.json["reference"] = m_clean.probe_json();
  return order;
}

NextStep RunAll::take(Batch& batch, ForkEnd end)
{
  Result<std::optional<Observed>> taken = batch.take(std::move(end));
  if (!taken) {
    note(taken.error());
    return NextStep::go_on;
  }
  if (!*taken) {
    return NextStep::put_off;
  }
  m_config.on_done(**std::move(taken));
  return NextStep::go_on;
}

// What could not be forked.
void RunAll::finish(const Batch& batch, Variants chosen, const std::vector<LeftOver>& left_over)
{
  for (const LeftOver& left : left_over) {
    if (run::interrupted()) {
      return;
    }
    if (is_fast() && left.reason == k_never_entered) {
      m_config.on_done(vouched(m_clean, batch.id(left.variant), m_config.repeat));
    } else {
      start_cold(*chosen[left.variant]);
    }
  }
}

void RunAll::run_in_template(const TemplateOrder& base, Variants chosen)
{
  TemplateOrder order = base;
  for (const VariantRecord* record : chosen) {
    Json json = order_of(record->variant);
    json["differs"] = m_clean.differs(record->variant.id);
    order.json["variants"].push_back(std::move(json));
  }
  Batch batch(m_config.spec, m_clean, chosen, m_config.repeat);
  const Result<std::vector<LeftOver>> left_over = run_template(
      m_config.environment, order, [&](ForkEnd end) { return take(batch, std::move(end)); });
  if (left_over) {
    finish(batch, chosen, *left_over);
  } else {
    note(left_over.error());
  }
}

Result<void> RunAll::run(const std::vector<const VariantRecord*>& variants)
{
  if (is_cold()) {
    return run_each_cold(variants);
  }
  const std::vector<const VariantRecord*> open = without_equal(variants);
  FL_TRY(const TemplateOrder base, order_without_variants());
  const size_t templates = std::max<size_t>(1, m_config.workers * k_templates_per_worker);
  const size_t share = (open.size() + templates - 1) / templates;
  const size_t size = std::clamp<size_t>(share, 1, k_most_per_template);
  run::for_each_parallel(
      (open.size() + size - 1) / size,
      m_config.workers,
      [] { return 0; },
      [&](int, size_t number) {
        const size_t begin = number * size;
        run_in_template(base, Variants(open).subspan(begin, std::min(size, open.size() - begin)));
      });
  return result();
}

} // namespace faultline::campaign
