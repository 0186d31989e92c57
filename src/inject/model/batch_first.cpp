#include "inject/layers.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const bool takes = layer.framework == Framework::torch &&
                       (layer.is({"LSTM", "GRU", "RNN", "MultiheadAttention"}) ||
                        layer.type.starts_with("Transformer"));
    const Argument* given = takes ? layer.call.find("batch_first") : nullptr;
    if (given != nullptr && given->value.text() == "True") {
      found.push_back(
          mutation({replace(given->value, "False")}, layer.call.node.text(), "batch_first=False"));
    } else if (takes && !layer.call.has_stars) {
      const Edit edit = given == nullptr ? add_argument(layer.call, "batch_first=True")
                                         : replace(given->value, "True");
      found.push_back(mutation({edit}, layer.call.node.text(), "batch_first=True"));
    }
  }
}

extern const Operator batch_first;
const Operator batch_first{
    .name = "flip-batch-first",
    .acronym = "",
    .summary = "Confuses the batch axis with the sequence axis",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
