#include "base/format.hpp"
#include "inject/training_data.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (const std::optional<std::string> share = share_of(setting)) {
    change_pairs(
        subject,
        {"_classes, _counts = _numpy.unique(_labels, return_counts=True)",
         "_first, _second = _classes[_numpy.argsort(-_counts, kind='stable')[:2]]",
         format("_some = _random.permutation(_rows[_labels == _first])[: int(_counts.max() * {})]",
                *share),
         R"(_answers = _numpy.append(_answers, _random.choice(_rows[_labels == _second], len(_some))))",
         "_rows = _numpy.append(_rows, _some)"},
        found);
  }
}

extern const Operator overlap_classes;
const Operator overlap_classes{
    .name = "overlap-classes",
    .acronym = "TCO",
    .summary = "Repeats a share of the most frequent class with the label of the next",
    .type = "training/training-data-quality/overlapping-output-classes-in-training-data",
    .level = Level::dl,
    .setting = share_setting({"0.05", "0.5", "1.0"}),
    .looks_for = k_looks_for_training_data,
    .find = find,
};

} // namespace faultline::inject
