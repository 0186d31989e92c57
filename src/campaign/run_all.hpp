#pragma once

// Many variants with the same seed, each in the cheapest way that gives its run: none at all, a
// fork of a template, a process of its own.

#include "campaign/batch.hpp"
#include "campaign/cold_run.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::campaign {

struct RunAllConfig {
  const Spec& spec;
  const run::Environment& environment;
  const EngineConfig& engine;
  Originals& originals;
  int repeat = 0;
  double limit_seconds = 0;
  size_t workers = 1;
  const std::function<void(Observed)>& on_done; // called from any thread
};

class RunAll {
public:
  RunAll(RunAllConfig config, const std::string& reference) : m_config(config), m_clean(reference)
  {
  }

  Result<void> run(const std::vector<const VariantRecord*>& variants);

private:
  using Variants = std::span<const VariantRecord* const>;

  bool is_fast() const { return m_config.engine.mode == Mode::fast; }
  bool is_cold() const;

  void start_cold(const VariantRecord& record);
  Result<void> run_each_cold(Variants variants);
  // Those that need a run; the others are told right away.
  std::vector<const VariantRecord*> without_equal(Variants variants);
  Result<TemplateOrder> order_without_variants() const;
  void run_in_template(const TemplateOrder& base, Variants chosen);
  NextStep take(Batch& batch, ForkEnd end);
  void finish(const Batch& batch, Variants chosen, const std::vector<LeftOver>& left_over);

  void note(const Error& error);
  Result<void> result() const { return m_trouble ? Result<void>(*m_trouble) : Result<void>(); }

  RunAllConfig m_config;
  KnownClean m_clean;
  std::mutex m_mutex;
  std::optional<Error> m_trouble; // the first
};

} // namespace faultline::campaign
