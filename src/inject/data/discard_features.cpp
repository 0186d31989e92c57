#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_inputs(
        subject,
        {"_features = _values.reshape(len(_values), -1)",
         format("_some = _random.permutation(_features.shape[1])[: int(_features.shape[1] * {})]",
                *share),
         "_features[:, _some] = 0",
         "_values = _features.reshape(_values.shape)"},
        found);
  }
}

extern const Operator discard_features;
const Operator discard_features{
    .name = "discard-features",
    .acronym = "",
    .summary = "Sets a share of the features of the training data to zero",
    .type = "training/training-data-quality/discarding-important-features",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "0.9"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
