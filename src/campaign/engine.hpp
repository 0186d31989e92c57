#pragma once

// Runs variants fast, from a clean run that is already under way.
//
// A *template* is the clean program in a sandbox, run up to the moment where changed code is about
// to be entered: there it forks, the fork gets the changed code and goes on as the variant. So the
// interpreter, the framework, the data and all that happens before are shared. See
// `probes/faultline_campaign/`.

#include "campaign/data.hpp"
#include "run/environment.hpp"
#include "run/outcome.hpp"
#include "run/sandbox.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

enum class Mode {
  fast,  // every shortcut that changes no verdict
  exact, // warm, but each variant is run from the program's start to its end
  cold,  // each variant is a process of its own from nothing
};

struct EngineConfig {
  Mode mode = Mode::fast;
  bool share_prefix = true; // of `fast`, for measuring what each is worth
  bool compare_values = true;
  bool compare_states = true;
  run::Isolation isolation = run::Isolation::sandbox;
};

// A run before it is judged: symptom is not set yet but for crash, hang and out of memory.
struct Observed {
  Run run;
  std::string log;
};

class Engine {
public:
  Engine(const Spec& spec, const run::Environment& environment, EngineConfig config);
  ~Engine();

  // The clean program from nothing, without any probe inside but what reads the metrics.
  Result<Observed> run_clean(int repeat);

  // What variants of this repeat are compared with: the clean program's states at its checkpoints,
  // and in which segments each changed expression would have had another value. JSON, to be kept.
  Result<std::string> measure_reference(const std::vector<VariantRecord>& variants,
                                        const Coverage& coverage,
                                        int repeat);

  // Run variants, `on_done` after each, from any thread. `reference` is what measure_reference gave
  // for this repeat. Stops early when the user interrupts.
  Result<void> run_all(const std::vector<const VariantRecord*>& variants,
                       int repeat,
                       const std::string& reference,
                       double limit_seconds,
                       size_t workers,
                       const std::function<void(Observed)>& on_done);

private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace faultline::campaign
