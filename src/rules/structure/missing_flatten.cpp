#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/layers.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

using program::LossKind;

// The convolution or pooling whose maps reach `dense` as they are; null if something flattens them.
const Call* maps_before(const Call& dense)
{
  const Tensor* input = data_input(dense);
  const Call* call = call_before(dense);
  while (call != nullptr && (is_nonlinear(*call) || call->has(program::k_dropping) ||
                             call->has(program::k_normalising) || call->is("linear"))) {
    call = call_before(*call);
  }
  const bool has_maps = call != nullptr && (is_convolution(*call) || is_pooling(*call)) &&
                        !call->has(program::k_global);
  return has_maps && input->shape.rank() == static_cast<size_t>(call->api->number) + 2 ? call
                                                                                       : nullptr;
}

bool lies_before(const Call& call, const Tensor* prediction)
{
  const Call* step = prediction != nullptr ? prediction->producer : nullptr;
  while (step != nullptr && step != &call && step->order > call.order) {
    step = call_before(*step);
  }
  return step == &call;
}

// The labels are for samples, while the predictions are for positions.
bool are_for_samples(const LossUse& use)
{
  const auto* labels = program::as<Tensor>(use.target);
  const auto rank = use.prediction->shape.rank();
  if (labels == nullptr || !labels->shape.has_rank() || !rank || *rank < 3) {
    return false;
  }
  const size_t wanted = use.kind == LossKind::sparse_categorical ? *rank - 1 : *rank;
  const size_t given = *labels->shape.rank();
  return given <= 2 && (given < wanted || labels->shape.at(1).is(1));
}

// Where the labels are not known: maps that were made smaller are hardly labelled by position.
bool has_smaller_maps(const Call& dense, const Tensor& prediction)
{
  const Call* first = nullptr;
  for (const Call* call = call_before(dense); call != nullptr; call = call_before(*call)) {
    first = is_convolution(*call) ? call : first;
  }
  const Tensor* input = first != nullptr ? data_input(*first) : nullptr;
  if (input == nullptr || input->shape.rank() != prediction.shape.rank() ||
      first->api->number < 2) {
    return false;
  }
  const std::vector<program::Dim> before = positions_of(*first, *input);
  const std::vector<program::Dim> after = positions_of(*first, prediction);
  return !before.empty() && before.front().constant() && after.front().constant() &&
         *after.front().constant() < *before.front().constant();
}

bool is_classification(LossKind kind)
{
  return is_categorical(kind) || kind == LossKind::binary;
}

// What the interpreter said about the same labels.
const Call* cause_of(const Program& program, const LossUse& use)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind == program::ProblemKind::loss_shape && problem.call != nullptr &&
        (problem.call == use.call || problem.call == use.fit)) {
      return problem.call;
    }
  }
  return nullptr;
}

Draft& report_layer(const Program& program, const Call& dense, const Call& maps, Reporter& report)
{
  Draft& draft = report.add(dense.span,
                            format("`{}` is applied to maps of shape {} that are not flattened",
                                   written(program, dense),
                                   data_input(dense)->shape.text()));
  draft.note(maps.span, format("the maps come from `{}`", written(program, maps)))
      .help("flatten the maps, or pool all their positions, in front of the dense layer");
  return draft;
}

// PyTorch counts features when the layer is made, so a missing flatten is an error at once.
void check_features(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    const Call* dense = problem.call;
    if (dense == nullptr || !dense->is("dense")) {
      continue;
    }
    const Tensor* input = data_input(*dense);
    const auto features = int_of(setting_of(*dense, {"in_features"}));
    if (!features || input == nullptr || input->shape.rank() < 3) {
      continue;
    }
    const Call* maps = maps_before(*dense);
    if (maps != nullptr && input->shape.behind(1).elements().is(*features)) {
      report_layer(program, *dense, *maps, report).cause(dense);
    }
  }
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  check_features(program, report);
  for (const Call& dense : program.calls()) {
    const Tensor* input = dense.is("dense") ? data_input(dense) : nullptr;
    const Call* maps = input != nullptr && input->shape.rank() >= 3 ? maps_before(dense) : nullptr;
    if (maps == nullptr) {
      continue;
    }
    for (const LossUse& use : program.losses()) {
      if (!lies_before(dense, use.prediction) ||
          use.prediction->shape.rank() != input->shape.rank()) {
        continue;
      }
      const bool is_sure = are_for_samples(use);
      const bool is_likely = use.target == nullptr && is_classification(use.kind) &&
                             has_smaller_maps(dense, *use.prediction);
      if (is_sure || is_likely) {
        Draft& draft = report_layer(program, dense, *maps, report)
                           .note(use.span, "the labels of this loss are for whole samples")
                           .cause(cause_of(program, use));
        if (!is_sure) {
          draft.severity(Severity::warning);
        }
        break;
      }
    }
  }
}

extern const Rule missing_flatten{
    .name = "missing-flatten",
    .summary = "Finds a dense layer on the maps of a convolution that nothing flattened",
    .applies = "any",
    .type = "model/layers/missing-redundant-wrong-layer/missing-flatten-layer",
    .fix_pattern = "add-layer",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 20,
    .check = check,
};

} // namespace faultline::rules
