#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_pairs(subject,
                 {"_kept = [_rows[_labels == _class] for _class in _numpy.unique(_labels)]",
                  format("_kept = [_random.permutation(_some)[min(len(_some) - 1, int(len(_some) * "
                         "{})) :] for _some in _kept]",
                         *share),
                  "_rows = _answers = _numpy.sort(_numpy.concatenate(_kept))"},
                 found);
  }
}

extern const Operator remove_data;
const Operator remove_data{
    .name = "remove-data",
    .acronym = "TRD",
    .summary = "Removes a share of the training data of each class",
    .type = "training/training-data-quality/not-enough-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.5", "0.99"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
