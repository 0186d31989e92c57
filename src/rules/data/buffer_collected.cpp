#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

// The array that an assignment to a part, or an operation in place, changes.
const Tensor* changed_by(const Call& call)
{
  return call.name == "operator.setitem" && !call.arguments.empty()
             ? as<Tensor>(call.arguments.front().value)
             : nullptr;
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Context* loop = call.within(Context::Kind::loop);
    const auto* kept = call.name == "builtins.list.append" && !call.arguments.empty()
                           ? as<Tensor>(call.arguments.front().value)
                           : nullptr;
    if (kept == nullptr || loop == nullptr || kept->producer == nullptr ||
        !kept->producer->has(program::k_source) || is_inside(kept->producer->context, loop)) {
      continue;
    }
    const auto change = std::ranges::find_if(program.calls(), [&](const Call& other) {
      return changed_by(other) == kept && is_inside(other.context, loop);
    });
    if (change != program.calls().end()) {
      report.add(call.arguments.front().span, "the list gets the same array in every round")
          .label("one object, many times")
          .note(kept->producer->span, "made once, before the loop")
          .note(change->span, "changed in every round: all entries show the last values")
          .help("append a copy, or make the array inside the loop");
    }
  }
}

} // namespace

extern const Rule buffer_collected{
    .name = "buffer-collected",
    .summary = "Finds arrays that are filled repeatedly and collected without a copy",
    .applies = "any",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
