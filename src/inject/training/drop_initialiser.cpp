#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "run" &&
        call.node.text().find("global_variables_initializer") != std::string_view::npos) {
      drop_statement(code, call, found);
    }
  }
}

extern const Operator drop_initialiser;
const Operator drop_initialiser{
    .name = "remove-variable-initialiser",
    .acronym = "",
    .summary = "No longer initialises the variables of TensorFlow 1",
    .type = "api/missing-global-variables-initialisation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
