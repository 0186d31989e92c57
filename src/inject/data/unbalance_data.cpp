#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_pairs(subject,
                 {"_classes, _counts = _numpy.unique(_labels, return_counts=True)",
                  "_rare = _rows[_numpy.isin(_labels, _classes[_counts <= _counts.mean()])]",
                  format("_gone = _random.permutation(_rare)[: int(len(_rare) * {})]", *share),
                  "_rows = _answers = _numpy.setdiff1d(_rows, _gone)"},
                 found);
  }
}

extern const Operator unbalance_data;
const Operator unbalance_data{
    .name = "unbalance-data",
    .acronym = "TUD",
    .summary = "Removes a share of the training data of the rarer classes",
    .type = "training/training-data-quality/unbalanced-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.5", "0.99"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
