#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

// A draw from NumPy's global generator inside __getitem__ of the data set's class; null if none.
const Call* draw_of(const Program& program, const Instance& dataset)
{
  for (const Call& call : program.calls()) {
    if (!call.name.starts_with("numpy.random.") || !call.has(program::k_random) ||
        call.self != nullptr) {
      continue;
    }
    for (const Context* region = call.context; region != nullptr; region = region->parent) {
      const auto* function = region->kind == Context::Kind::function
                                 ? as<program::Function>(region->subject)
                                 : nullptr;
      if (function != nullptr && function->name == "__getitem__" && function->owner != nullptr &&
          function->owner == dataset.klass) {
        return &call;
      }
    }
  }
  return nullptr;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.name != "torch.utils.data.DataLoader" || call.given("worker_init_fn") != nullptr) {
      continue;
    }
    const auto workers = int_of(call.arg("num_workers"));
    const auto* dataset = as<Instance>(call.arg("dataset"));
    if (!workers || *workers < 2 || dataset == nullptr || dataset->klass == nullptr) {
      continue;
    }
    if (const Call* draw = draw_of(program, *dataset)) {
      report.add(call.span, "all workers of the loader draw the same random numbers")
          .label(format("{} copies of NumPy's generator", *workers))
          .note(draw->span, "drawn from NumPy's global generator")
          .help("seed NumPy in `worker_init_fn` from `torch.initial_seed()`, or draw with `torch`");
    }
  }
}

} // namespace

extern const Rule workers_share_seed{
    .name = "workers-share-seed",
    .summary = "Finds data sets whose workers all draw the same random numbers",
    .applies = "torch",
    .type = "api/missing-api-call",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
