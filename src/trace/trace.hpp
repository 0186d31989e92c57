#pragma once

#include "trace/event.hpp"

#include <compare>
#include <map>
#include <vector>

namespace faultline::trace {

// A parameter or output of one layer over time: one entry a check.
struct SeriesKey {
  int layer = 0;
  Role role = Role::output;
  uint8_t slot = 0;

  friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};

// Everything that a probe has recorded so far, in order. To bound memory, every second record of
// the older half is dropped, so a long run keeps its shape.
class Trace {
public:
  void add(Event event);

  const Start& start() const { return m_start; }
  const std::map<int, Layer>& layers() const { return m_layers; }
  const Layer* layer(int id) const;
  // Called layers, in the order of their first call.
  std::vector<const Layer*> layers_in_order() const;
  const std::vector<Optimizer>& optimizers() const { return m_optimizers; }
  const std::vector<LossUse>& losses() const { return m_losses; }
  const std::vector<Step>& steps() const { return m_steps; }
  const std::vector<Check>& checks() const { return m_checks; }
  const std::vector<Evaluation>& evaluations() const { return m_evaluations; }
  const std::vector<Experiment>& experiments() const { return m_experiments; }
  const std::vector<Observation>& observations() const { return m_observations; }
  const std::vector<NonFinite>& non_finites() const { return m_non_finites; }
  const std::optional<Crash>& crash() const { return m_crash; }
  const std::optional<Problem>& problem() const { return m_problem; }
  const std::optional<End>& end() const { return m_end; }
  bool ended() const { return m_end.has_value(); }

  // One entry a check, oldest first; empty if nothing was recorded.
  const std::vector<TensorStats>& series(int layer, Role role, uint8_t slot = 0) const;
  const std::map<SeriesKey, std::vector<TensorStats>>& all_series() const { return m_series; }

  const Experiment* experiment(std::string_view name) const;
  // The first use of a loss in training, if any: what the program optimises.
  const LossUse* training_loss() const;

private:
  void thin_series();

  Start m_start;
  std::map<int, Layer> m_layers;
  std::vector<Optimizer> m_optimizers;
  std::vector<LossUse> m_losses;
  std::vector<Step> m_steps;
  std::vector<Check> m_checks;
  std::vector<Evaluation> m_evaluations;
  std::vector<Experiment> m_experiments;
  std::vector<Observation> m_observations;
  std::vector<NonFinite> m_non_finites;
  std::optional<Crash> m_crash;
  std::optional<Problem> m_problem;
  std::optional<End> m_end;
  std::map<SeriesKey, std::vector<TensorStats>> m_series;
  size_t m_records = 0; // of all series
};

} // namespace faultline::trace
