// The short codes that operators of inject/ write, and the labels of taxonomy/ that they stand for.

#include "rules/rule.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

struct Meaning {
  std::string_view code;
  std::string_view label;
};

// Leaves of taxonomy/types.toml. Codes are finer than the taxonomy in places: all causes of a wrong
// tensor shape are one leaf there.
constexpr Meaning k_leaves[] = {
    {"A01", "api/deprecated-api"},
    {"A02", "api/wrong-usage-of-image-decoding-api"},
    {"A03", "api/wrong-position-of-data-shuffle-operation"},
    {"A04", "api/missing-global-variables-initialisation"},
    {"A05", "api/wrong-api-usage"},
    {"A06", "api/missing-api-call"},
    {"A07", "api/wrong-reference-to-operational-graph"},
    {"A08", "api/wrong-usage-of-placeholder-restoration-api"},
    {"A09", "api/missing-argument-scoping"},
    {"D01", "training/training-data-quality/not-enough-training-data"},
    {"D02", "training/training-data-quality/wrong-labels-for-training-data"},
    {"D03", "training/training-data-quality/unbalanced-training-data"},
    {"D04", "training/training-data-quality/low-quality-of-training-data"},
    {"D05", "training/training-data-quality/wrong-selection-of-features"},
    {"D06", "training/training-data-quality/discarding-important-features"},
    {"D07", "training/training-data-quality/overlapping-output-classes-in-training-data"},
    {"D08", "training/training-data-quality/too-many-output-categories"},
    {"G01", "gpu-usage/missing-destination-gpu-device"},
    {"G02", "gpu-usage/incorrect-state-sharing"},
    {"G03", "gpu-usage/wrong-reference-to-gpu-device"},
    {"G04", "gpu-usage/wrong-data-parallelism-on-gpus"},
    {"G05", "gpu-usage/calling-unsupported-operations-on-cuda-tensors"},
    {"G06", "gpu-usage/conversion-to-cuda-tensor-inside-the-training-test-loop"},
    {"G07", "gpu-usage/wrongly-implemented-data-transfer-function-cpu-gpu"},
    {"G08", "gpu-usage/missing-transfer-of-data-to-gpu"},
    {"G09", "gpu-usage/wrong-tensor-transfer-to-gpu"},
    {"G10", "gpu-usage/gpu-tensor-is-used-instead-of-cpu-tensor"},
    {"H01", "training/hyperparameters/suboptimal-hyperparameters-tuning"},
    {"H02", "training/hyperparameters/suboptimal-learning-rate"},
    {"H03", "training/hyperparameters/suboptimal-batch-size"},
    {"H04", "training/hyperparameters/suboptimal-number-of-epochs"},
    {"H05", "training/hyperparameters/data-batching-required"},
    {"H06", "training/hyperparameters/wrongly-implemented-data-batching"},
    {"H07", "training/hyperparameters/missing-regularisation-loss-and-weight"},
    {"I01", "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape"},
    {"I02", "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch"},
    {"I03", "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape"},
    {"I04", "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape"},
    {"I05", "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape"},
    {"I06", "tensors-and-inputs/wrong-tensor-shape/wrong-tensor-shape"},
    {"I07",
     "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
     "wrong-shape-of-input-data-for-a-layer"},
    {"I08",
     "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/"
     "wrong-shape-of-input-data-for-a-method"},
    {"I09", "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/wrong-shape-of-input-data"},
    {"I10",
     "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
     "wrong-type-of-input-data-for-a-method"},
    {"I11",
     "tensors-and-inputs/wrong-input/wrong-type-of-input-data/"
     "wrong-type-of-input-data-for-a-layer"},
    {"I12", "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format"},
    {"I13", "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn"},
    {"I14", "tensors-and-inputs/wrong-input/wrong-input-format/wrong-format-of-passed-weights"},
    {"I15", "tensors-and-inputs/wrong-input/wrong-input-format/incompatible-tensor-type"},
    {"I16", "training/loss-function/missing-masking-of-invalid-values-to-zero"},
    {"L01", "training/loss-function/wrong-selection-of-loss-function"},
    {"L02", "training/loss-function/wrong-loss-function-calculation"},
    {"L03", "training/loss-function/missing-loss-function"},
    {"M01", "model/model-type-and-properties/wrong-selection-of-model"},
    {"M02", "model/model-type-and-properties/wrong-network-architecture"},
    {"M03", "model/model-type-and-properties/suboptimal-network-structure"},
    {"M04", "model/model-type-and-properties/wrong-model-initialisation"},
    {"M05", "model/model-type-and-properties/wrong-weights-initialisation"},
    {"M06", "model/model-type-and-properties/multiple-initialisations-of-cnn"},
    {"M07", "model/layers/missing-redundant-wrong-layer/missing-normalisation-layer"},
    {"M08", "model/layers/missing-redundant-wrong-layer/missing-dropout-layer"},
    {"M09", "model/layers/missing-redundant-wrong-layer/missing-dense-layer"},
    {"M10", "model/layers/missing-redundant-wrong-layer/missing-flatten-layer"},
    {"M11", "model/layers/missing-redundant-wrong-layer/missing-softmax-layer"},
    {"M12", "model/layers/missing-redundant-wrong-layer/missing-average-pooling-layer"},
    {"M13", "model/layers/missing-redundant-wrong-layer/redundant-softmax-layer"},
    {"M14", "model/layers/missing-redundant-wrong-layer/wrong-layer-type"},
    {"M15", "model/layers/missing-redundant-wrong-layer/wrong-type-of-pooling-layer"},
    {"M16", "model/layers/layer-properties/wrong-input-sample-size-for-linear-layer"},
    {"M17", "model/layers/layer-properties/wrong-defined-input-shape"},
    {"M18", "model/layers/layer-properties/wrong-defined-output-shape"},
    {"M19", "model/layers/layer-properties/wrong-defined-input-and-output-shape"},
    {"M20", "model/layers/layer-properties/wrong-filter-size-for-a-convolutional-layer"},
    {"M21", "model/layers/layer-properties/bias-needed-in-a-layer"},
    {"M22", "model/layers/layer-properties/suboptimal-number-of-neurons-in-the-layer"},
    {"M23",
     "model/layers/layer-properties/wrong-amount-and-type-of-pooling-in-convolutional-layer"},
    {"M24", "model/layers/layer-properties/layers-dimensions-mismatch"},
    {"M25", "model/layers/activation-function/missing-softmax-activation-function"},
    {"M26", "model/layers/activation-function/missing-relu-activation-function"},
    {"M27", "model/layers/activation-function/wrong-type-of-activation-function"},
    {"O01", "training/optimiser/wrong-optimisation-function"},
    {"O02", "training/optimiser/epsilon-for-adam-optimiser-too-low"},
    {"R01", "training/training-process/wrong-management-of-memory-resources"},
    {"R02", "training/training-process/model-too-big-to-fit-into-available-memory"},
    {"R03", "training/training-process/reference-to-non-existing-checkpoint"},
    {"R04", "training/training-process/missing-data-augmentation"},
    {"R05", "training/training-process/redundant-data-augmentation"},
    {"R06", "training/training-process/wrongly-implemented-back-propagation"},
    {"R07", "training/training-process/wrong-calculation-of-the-gradients-for-backpropagation"},
    {"V01", "training/validation-testing/missing-validation-set"},
    {"V02", "training/validation-testing/wrong-performance-metric"},
    {"V03", "training/validation-testing/incorrect-train-test-data-split"},
};

// Every missing step of preprocessing (P01 …) is one leaf, and so is every wrong one (Q01 …).
constexpr std::string_view k_missing_step =
    "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step";
constexpr std::string_view k_wrong_step =
    "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step";

} // namespace

std::string_view type_of_leaf(std::string_view leaf)
{
  if (leaf.size() == 3 && leaf.starts_with('P')) {
    return k_missing_step;
  }
  if (leaf.size() == 3 && leaf.starts_with('Q')) {
    return k_wrong_step;
  }
  const auto found = std::ranges::find(k_leaves, leaf, &Meaning::code);
  return found == std::ranges::end(k_leaves) ? std::string_view() : found->label;
}

} // namespace faultline::rules
