#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_rows(subject,
                {format("_rows = _numpy.append(_rows, _random.choice(_rows, int(len(_rows) * {})))",
                        *share)},
                found);
  }
}

extern const Operator data_repetition;
const Operator data_repetition{
    .name = "repeat-data",
    .acronym = "DR",
    .summary = "Repeats a share of the training data",
    .type = "training/training-data-quality/unbalanced-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
