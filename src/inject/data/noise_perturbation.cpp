#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_inputs(
        subject,
        {format("_some = _random.permutation(len(_values))[: int(len(_values) * {})]", *share),
         "_noise = _random.normal(0.0, 0.1 * _values.std(), _values[_some].shape)",
         "_values[_some] = _values[_some] + _noise"},
        found);
  }
}

extern const Operator noise_perturbation;
const Operator noise_perturbation{
    .name = "perturb-data",
    .acronym = "NP",
    .summary = "Adds noise to a share of the training data",
    .type = "training/training-data-quality/low-quality-of-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
