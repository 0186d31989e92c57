#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_inputs(
        subject,
        {"_deviation = _values.reshape(len(_values), -1).std(axis=1).reshape((-1,) + (1,) * "
         "(_values.ndim - 1))",
         format("_noise = _random.normal(0.0, 1.0, _values.shape) * _deviation * {}", *share),
         "_values = (_values + _noise).astype(_values.dtype)"},
        found);
  }
}

extern const Operator add_noise;
const Operator add_noise{
    .name = "add-noise",
    .acronym = "TAN",
    .summary = "Adds noise to all training data",
    .type = "training/training-data-quality/low-quality-of-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
