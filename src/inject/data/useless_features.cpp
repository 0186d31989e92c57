#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_inputs(subject,
                  {"_features = _values.reshape(len(_values), -1)",
                   format("for _column in _random.permutation(_features.shape[1])[: "
                          "int(_features.shape[1] * {})]:",
                          *share),
                   "    _features[:, _column] = _random.permutation(_features[:, _column])",
                   "_values = _features.reshape(_values.shape)"},
                  found);
  }
}

extern const Operator useless_features;
const Operator useless_features{
    .name = "useless-features",
    .acronym = "",
    .summary = "Mixes a share of the features of the training data between samples",
    .type = "training/training-data-quality/wrong-selection-of-features",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
