#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.last() == "pad_sequences" || call.name == "torch.nn.utils.rnn.pad_sequence") {
      unwrap(call, found);
    }
  }
}

extern const Operator no_padding;
const Operator no_padding{
    .name = "remove-padding",
    .acronym = "",
    .summary = "No longer pads sequences",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
