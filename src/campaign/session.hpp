#pragma once

// A campaign from its plan to its last run, however often it is interrupted in between.

#include "campaign/engine.hpp"
#include "campaign/judge.hpp"
#include "campaign/store.hpp"

#include <functional>
#include <map>
#include <string_view>

namespace faultline::campaign {

// How far it is.
struct Standing {
  size_t finished = 0; // runs of variants, those of earlier sessions too
  size_t total = 0;
  std::map<Symptom, size_t> symptoms;
};

struct SessionOptions {
  EngineConfig engine;
  size_t workers = 0; // 0: one per core
  std::optional<size_t> most_variants;
  std::string version;                                                  // of faultline, to be noted
  std::function<void(std::string_view)> say = [](std::string_view) {};  // what is being done
  std::function<void(std::string_view)> tell = [](std::string_view) {}; // what stays to be read
  std::function<void(const Standing&)> on_progress = [](const Standing&) {}; // from any thread
};

size_t workers_of(const SessionOptions& options);

// Bring the plan up to date: clean runs, coverage, variants. Nothing of the variants runs. If
// something changed since the last time, it says what, plans anew, and keeps the runs that still
// hold.
Result<void> plan_campaign(Store& store,
                           const Spec& spec,
                           const run::Environment& environment,
                           const SessionOptions& options);
bool is_planned(Store& store);

// What a planned campaign is to be run with from now on: its campaign file as it is now, or as it
// was where it is gone, with the options that it was planned with.
Result<Spec> current_spec(const Data& data);
Result<std::optional<size_t>> planned_limit(Store& store); // --limit

// An error if anything that runs depend on is not what it was when the campaign was planned.
Result<void> check_unchanged(Store& store, const Data& data, const run::Environment& environment);

// Run what is missing here, each run judged and stored when it is done. Ends early, without an
// error, when the user interrupts.
Result<void>
run_missing(Store& store, const run::Environment& environment, const SessionOptions& options);

// The time limit of a variant.
double limit_of(const Data& data);

// What the engine compares the variants of `repeat` with, from the store or measured now; empty
// where the mode needs none.
Result<std::string>
reference_of(Store& store, const Data& data, Engine& engine, Mode mode, int repeat);

// The unified diff of a variant, from the texts kept with the plan.
Result<std::string> diff_of(Store& store, const inject::Variant& variant);

Standing standing_of(const Data& data);

} // namespace faultline::campaign
