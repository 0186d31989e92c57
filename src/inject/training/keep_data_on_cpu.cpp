#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if ((call.last() == "to" || call.last() == "cuda") && call.callee.kind() == "attribute" &&
        (call.arguments.empty() ||
         call.arguments.front().value.text().find("device") != std::string_view::npos) &&
        call.name.front() == '.') {
      drop_method(call, found);
    }
  }
}

extern const Operator keep_data_on_cpu;
const Operator keep_data_on_cpu{
    .name = "keep-data-on-cpu",
    .acronym = "",
    .summary = "No longer moves data to the device",
    .type = "gpu-usage/missing-transfer-of-data-to-gpu",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
