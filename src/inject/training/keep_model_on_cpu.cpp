#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool moves =
        (call.last() == "to" || call.last() == "cuda") && call.callee.kind() == "attribute" &&
        (call.arguments.empty() ||
         call.arguments.front().value.text().find("device") != std::string_view::npos);
    if (moves && call.name.front() != '.') {
      drop_method(call, found);
    }
    if (moves) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator keep_model_on_cpu;
const Operator keep_model_on_cpu{
    .name = "keep-model-on-cpu",
    .acronym = "",
    .summary = "No longer moves the model to the device",
    .type = "gpu-usage/missing-destination-gpu-device",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
