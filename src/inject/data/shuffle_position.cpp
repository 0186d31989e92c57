#include "base/format.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& batch : code.calls()) {
    if (batch.last() != "batch" || batch.callee.kind() != "attribute" || !code.uses("tensorflow")) {
      continue;
    }
    const Call* shuffle = code.call_at(*batch.callee.child("object"));
    if (shuffle != nullptr && shuffle->last() == "shuffle" &&
        shuffle->callee.kind() == "attribute") {
      const std::string moved = format("{}.batch{}.shuffle{}",
                                       shuffle->callee.child("object")->text(),
                                       batch.list.text(),
                                       shuffle->list.text());
      rewrite(batch.node, moved, batch.node, found);
    }
  }
}

extern const Operator shuffle_position;
const Operator shuffle_position{
    .name = "shuffle-batches",
    .acronym = "",
    .summary = "Shuffles batches instead of samples",
    .type = "api/wrong-position-of-data-shuffle-operation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
