#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool is_method = call.callee.kind() == "attribute";
    const bool casts =
        call.last() == "astype" && call.arguments.size() == 1 &&
        call.arguments.front().value.text().find("float32") != std::string_view::npos;
    // The mean of what is compared needs it as well, but is no input.
    const bool is_compared =
        is_method && call.callee.child("object")->kind() == "parenthesized_expression";
    if (is_method && !is_compared &&
        (casts || (call.last() == "float" && call.arguments.empty() && code.uses("torch")))) {
      drop_method(call, found);
    }
  }
}

extern const Operator no_float;
const Operator no_float{
    .name = "remove-float",
    .acronym = "",
    .summary = "Gives a layer data of the wrong type",
    .type = "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
            "wrong-type-of-input-data-for-a-layer",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
