#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_pairs(
        subject,
        {"_classes, _counts = _numpy.unique(_labels, return_counts=True)",
         "_most = _classes[_counts.argmax()]",
         format("_some = _random.permutation(_rows[_labels == _most])[: int(_counts.max() * {})]",
                *share),
         "_answers[_some] = _random.choice(_rows[_labels != _most], len(_some))"},
        found);
  }
}

extern const Operator change_labels;
const Operator change_labels{
    .name = "change-labels",
    .acronym = "TCL",
    .summary = "Gives a share of the most frequent class the label of another class",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
