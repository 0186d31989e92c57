#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.fit == nullptr || use.prediction == nullptr) {
      continue;
    }
    const Call* flow = generator_behind(*use.fit);
    if (flow == nullptr || !flow->is("flow_from_directory")) {
      continue;
    }
    const std::optional<std::string_view> mode = text_of(flow->arg("class_mode"));
    const std::optional<int64_t> width = use.prediction->shape.at(-1).constant();
    if (!mode) {
      continue;
    }
    std::string why;
    using program::LossKind;
    if (*mode == "categorical" && use.kind == LossKind::sparse_categorical) {
      why = "gives one-hot labels, but the loss expects class indices";
    } else if ((*mode == "binary" || *mode == "sparse") && use.kind == LossKind::categorical) {
      why = "gives class indices, but the loss expects one-hot labels";
    } else if (*mode == "categorical" && width == 1) {
      why = "gives one-hot labels of all classes, the model has one output";
    } else if (*mode == "binary" && width && *width > 1) {
      why = format("gives labels 0 and 1, the model has {} outputs", *width);
    } else {
      continue;
    }
    const program::Argument* written = flow->argument("class_mode");
    report
        .add(written->given ? written->span : flow->callee,
             format("class mode '{}' {}", *mode, why))
        .note(use.span, "the loss")
        .help("'categorical' goes with categorical_crossentropy, 'sparse' with "
              "sparse_categorical_crossentropy, 'binary' with one sigmoid output and "
              "binary_crossentropy")
        .cause(use.fit);
  }
}

extern const Rule generator_disagrees_with_loss{
    .name = "generator-disagrees-with-loss",
    .summary = "Finds image generators whose label mode does not suit the loss or the head",
    .applies = "keras",
    .type = "training/training-data-quality/wrong-labels-for-training-data",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
