#include "base/format.hpp"
#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const bool loads = call.last() == "load_state_dict" && call.callee.kind() == "attribute" &&
                       call.arguments.size() == 1 &&
                       call.callee.text().find("opt") == std::string_view::npos &&
                       call.callee.text().find("sched") == std::string_view::npos;
    if (loads) {
      const Node& given = call.arguments.front().value;
      const std::string other = format(
          "{{\"module.\" + _name: _value for _name, _value in {}.items()}}", bracketed(given));
      found.push_back(mutation({replace(given, other)}, call.node.text(), "\"module.\" + …"));
    }
  }
}

extern const Operator weights_format;
const Operator weights_format{
    .name = "misname-weights",
    .acronym = "",
    .summary = "Loads weights under different names",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-format-of-passed-weights",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
