#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (is_optimizer_call(call, "step")) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator drop_step;
const Operator drop_step{
    .name = "remove-step",
    .acronym = "",
    .summary = "No longer changes the weights",
    .type = "api/missing-api-call",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
