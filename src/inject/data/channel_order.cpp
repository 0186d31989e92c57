#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    std::string axes;
    for (const Argument& argument : call.arguments) {
      axes += std::string(argument.value.text()) + " ";
    }
    const bool moves =
        axes == "0 3 1 2 " || axes == "2 0 1 " || axes == "(0, 3, 1, 2) " || axes == "(2, 0, 1) ";
    if (moves && (call.last() == "permute" || call.last() == "transpose")) {
      drop_method(call, found);
    } else if (call.name == "numpy.transpose" && call.arguments.size() == 2) {
      unwrap(call, found);
    }
    const Argument* format_of = call.find("data_format");
    const std::optional<std::string> word =
        format_of != nullptr ? string_of(format_of->value) : std::nullopt;
    if (word == "channels_last" || word == "channels_first") {
      const std::string other =
          word == "channels_last" ? "\"channels_first\"" : "\"channels_last\"";
      rewrite(format_of->value, other, format_of->whole, found);
    }
  }
}

extern const Operator channel_order;
const Operator channel_order{
    .name = "wrong-channel-order",
    .acronym = "",
    .summary = "Gives images whose channels are on the wrong axis",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
