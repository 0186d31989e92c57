#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if ((call.last() == "eval" || call.last() == "train") && call.callee.kind() == "attribute" &&
        call.arguments.empty() && code.uses("torch")) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator drop_eval;
const Operator drop_eval{
    .name = "remove-eval-mode",
    .acronym = "",
    .summary = "Evaluates in training mode, or trains in evaluation mode",
    .type = "api/missing-api-call",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
