#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "backward" && call.callee.kind() == "attribute") {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator drop_backward;
const Operator drop_backward{
    .name = "remove-backward",
    .acronym = "",
    .summary = "No longer computes gradients",
    .type = "api/missing-api-call",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
