#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "cpu" && call.callee.kind() == "attribute" && call.arguments.empty()) {
      drop_method(call, found);
    }
  }
}

extern const Operator keep_result_on_gpu;
const Operator keep_result_on_gpu{
    .name = "keep-result-on-gpu",
    .acronym = "",
    .summary = "Passes a GPU tensor to a function that needs the CPU",
    .type = "gpu-usage/gpu-tensor-is-used-instead-of-cpu-tensor",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
