#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_rows(subject,
                {format("_some = _random.permutation(_rows)[: int(len(_rows) * {})]", *share),
                 "_rows[_numpy.sort(_some)] = _some"},
                found);
  }
}

extern const Operator data_shuffle;
const Operator data_shuffle{
    .name = "shuffle-data",
    .acronym = "DF",
    .summary = "Changes the order of a share of the training data",
    .level = Level::dl,
    .setting = share_setting({"0.1", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
