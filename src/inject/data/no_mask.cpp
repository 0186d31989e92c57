#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "masked_fill" && call.callee.kind() == "attribute") {
      drop_method(call, found);
    }
    for (const std::string_view keyword : {"ignore_index", "mask_zero", "padding_idx"}) {
      const Argument* given = call.find(keyword);
      if (given != nullptr && given->value.text() != "False" && given->value.text() != "None") {
        found.push_back(mutation({remove_item(given->whole)}, call.node.text(), ""));
      }
    }
  }
}

extern const Operator no_mask;
const Operator no_mask{
    .name = "remove-mask",
    .acronym = "",
    .summary = "No longer masks positions that do not count",
    .type = "training/loss-function/missing-masking-of-invalid-values-to-zero",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
