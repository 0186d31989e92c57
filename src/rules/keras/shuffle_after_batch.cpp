#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// The call that batched the data set before; null if none did.
static const Call* batched_before(Ref dataset)
{
  for (int depth = 0; depth < 64; ++depth) {
    const auto* object = program::as<Instance>(dataset);
    if (object == nullptr || object->made_by == nullptr) {
      return nullptr;
    }
    const Call* call = object->made_by;
    if (call->is("batch")) {
      return call;
    }
    if (call->name.ends_with(".unbatch")) {
      return nullptr;
    }
    dataset = call->self;
  }
  return nullptr;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("shuffle") || !call.name.starts_with("tensorflow.data.")) {
      continue;
    }
    if (const Call* batch = batched_before(call.self)) {
      report.add(call.callee, "batches are shuffled, not the samples inside them")
          .note(batch->callee, "batched here")
          .help("shuffle before `batch`")
          .cause(&call);
    }
  }
}

extern const Rule shuffle_after_batch{
    .name = "shuffle-after-batch",
    .summary = "Finds data sets that shuffle batches instead of samples",
    .applies = "keras tf1 tf2",
    .type = "api/wrong-position-of-data-shuffle-operation",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
