#include "rules/facts.hpp"
#include "rules/gradients.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Truth;

// These change what autograd knows of a tensor, not its values; initialisers switch gradients off.
static bool is_harmless(const Call& call)
{
  return call.name.ends_with(".requires_grad_") || call.name.ends_with(".detach_") ||
         call.name.ends_with(".share_memory_") || call.name.starts_with("torch.nn.init.");
}

static bool is_frozen(const Program& program, const Tensor* tensor)
{
  return std::ranges::any_of(program.stores(), [tensor](const program::Store& store) {
    return store.name == "requires_grad" && store.object == tensor;
  });
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* leaf = changed_tensor(call);
    if (leaf == nullptr || leaf->leaf != Truth::yes || leaf->requires_grad != Truth::yes ||
        leaf->library != program::Library::torch || is_harmless(call) || gradient_off(call) ||
        is_frozen(program, leaf)) {
      continue;
    }
    report.add(call.span, "a weight that requires a gradient is changed in place")
        .note(leaf->origin, "it comes from here")
        .help("do it inside `with torch.no_grad():`")
        .cause(&call);
  }
}

extern const Rule in_place_on_leaf{
    .name = "in-place-on-leaf",
    .summary = "Finds weights that are changed in place where gradients are recorded",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
