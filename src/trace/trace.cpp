#include "trace/trace.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

constexpr size_t k_most_layers = 1 << 14;
constexpr size_t k_most_series = 1 << 16;
constexpr size_t k_most_records = 1 << 20;
constexpr size_t k_most_steps = 1 << 20;
constexpr size_t k_most_events = 1 << 12; // for kinds of events that occur now and then

template <typename T> void thin(std::vector<T>& records)
{
  const size_t half = records.size() / 2;
  size_t kept = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    if (i >= half || i % 2 == 0) {
      if (kept != i) {
        records[kept] = std::move(records[i]);
      }
      ++kept;
    }
  }
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(kept), records.end());
}

template <typename T> void append(std::vector<T>& records, T record, size_t most)
{
  if (records.size() >= most) {
    thin(records);
  }
  records.push_back(std::move(record));
}

template <typename... F> struct Visitor : F... {
  using F::operator()...;
};
template <typename... F> Visitor(F...) -> Visitor<F...>;

} // namespace

std::string_view name_of(Role role)
{
  switch (role) {
  case Role::input:
    return "input";
  case Role::output:
    return "output";
  case Role::weight:
    return "weight";
  case Role::gradient:
    return "gradient";
  case Role::update:
    return "update";
  }
  return "output";
}

void Trace::add(Event event)
{
  std::visit(Visitor{
                 [this](Start& start) { m_start = std::move(start); },
                 [this](Layer& layer) {
                   if (m_layers.contains(layer.id) || m_layers.size() < k_most_layers) {
                     const int id = layer.id;
                     m_layers.insert_or_assign(id, std::move(layer));
                   }
                 },
                 [this](Optimizer& optimizer) {
                   // Sent again when more is known.
                   const auto same =
                       std::ranges::find_if(m_optimizers, [&optimizer](const Optimizer& known) {
                         return known.kind == optimizer.kind &&
                                known.site.file == optimizer.site.file &&
                                known.site.line == optimizer.site.line;
                       });
                   if (same != m_optimizers.end()) {
                     *same = std::move(optimizer);
                   } else {
                     append(m_optimizers, std::move(optimizer), k_most_events);
                   }
                 },
                 [this](LossUse& use) { append(m_losses, std::move(use), k_most_events); },
                 [this](Step& step) { append(m_steps, step, k_most_steps); },
                 [this](TensorStats& stats) {
                   const SeriesKey key{stats.layer, stats.role, stats.slot};
                   if (!m_series.contains(key) && m_series.size() >= k_most_series) {
                     return;
                   }
                   if (m_records >= k_most_records) {
                     thin_series();
                   }
                   m_series[key].push_back(stats);
                   ++m_records;
                 },
                 [this](Check& check) { append(m_checks, check, k_most_events); },
                 [this](Evaluation& evaluation) {
                   append(m_evaluations, std::move(evaluation), k_most_events);
                 },
                 [this](Experiment& experiment) {
                   append(m_experiments, std::move(experiment), k_most_events);
                 },
                 [this](Observation& observation) {
                   append(m_observations, std::move(observation), k_most_events);
                 },
                 [this](NonFinite& found) {
                   // The first ones matter.
                   if (m_non_finites.size() < k_most_events) {
                     m_non_finites.push_back(std::move(found));
                   }
                 },
                 [this](Crash& crash) { m_crash = std::move(crash); },
                 [this](Problem& problem) { m_problem = std::move(problem); },
                 [this](End& end) { m_end = end; },
             },
             event);
}

void Trace::thin_series()
{
  m_records = 0;
  for (auto& [key, records] : m_series) {
    thin(records);
    m_records += records.size();
  }
}

const Layer* Trace::layer(int id) const
{
  const auto found = m_layers.find(id);
  return found == m_layers.end() ? nullptr : &found->second;
}

std::vector<const Layer*> Trace::layers_in_order() const
{
  std::vector<const Layer*> layers;
  for (const auto& [id, layer] : m_layers) {
    if (layer.order >= 0) {
      layers.push_back(&layer);
    }
  }
  std::ranges::stable_sort(layers, {}, &Layer::order);
  return layers;
}

const std::vector<TensorStats>& Trace::series(int layer, Role role, uint8_t slot) const
{
  static const std::vector<TensorStats> k_none;
  const auto found = m_series.find({layer, role, slot});
  return found == m_series.end() ? k_none : found->second;
}

const Experiment* Trace::experiment(std::string_view name) const
{
  const auto found = std::ranges::find(m_experiments, name, &Experiment::name);
  return found == m_experiments.end() ? nullptr : &*found;
}

const LossUse* Trace::training_loss() const
{
  const auto found =
      std::ranges::find_if(m_losses, [](const LossUse& use) { return !use.evaluating; });
  return found == m_losses.end() ? nullptr : &*found;
}

} // namespace faultline::trace
