#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.is_any({"keras.utils.to_categorical",
                     "torch.nn.functional.one_hot",
                     "pandas.get_dummies",
                     "tensorflow.one_hot",
                     "keras.utils.np_utils.to_categorical"})) {
      unwrap(call, found);
    }
  }
}

extern const Operator no_encoding;
const Operator no_encoding{
    .name = "remove-one-hot",
    .acronym = "",
    .summary = "No longer encodes categories",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
