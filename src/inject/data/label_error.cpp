#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_pairs(subject,
                 {format("_some = _random.permutation(_rows)[: int(len(_rows) * {})]", *share),
                  "_answers[_some] = _random.choice(_rows, len(_some))"},
                 found);
  }
}

extern const Operator label_error;
const Operator label_error{
    .name = "mislabel-data",
    .acronym = "LE",
    .summary = "Gives a share of the training data the label of another sample",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.3", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
