#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_rows(subject,
                {format("_lost = int(len(_rows) * {})", *share),
                 "_rows = _numpy.sort(_random.permutation(_rows)[: max(1, len(_rows) - _lost)])"},
                found);
  }
}

extern const Operator data_missing;
const Operator data_missing{
    .name = "lose-data",
    .acronym = "DM",
    .summary = "Removes a share of the training data",
    .type = "training/training-data-quality/not-enough-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "0.99"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
