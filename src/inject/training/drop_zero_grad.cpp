#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (is_optimizer_call(call, "zero_grad")) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator drop_zero_grad;
const Operator drop_zero_grad{
    .name = "remove-zero-grad",
    .acronym = "",
    .summary = "No longer clears the gradients of the last step",
    .type = "api/missing-api-call",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
