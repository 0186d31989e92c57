#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::trace {

namespace {

// Whether several steps make an epoch. A program that trains on all its data at once may want its
// samples to mix: the nodes of a graph do.
bool has_batches(const Trace& trace)
{
  const auto& steps = trace.steps();
  return steps.size() >= 2 && steps[0].epoch == steps[1].epoch;
}

} // namespace

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* mixing = trace.experiment("mixing");
  const double change = mixing == nullptr ? k_unknown : setting(mixing->values, "largest_change");
  const double scale = mixing == nullptr ? k_unknown : setting(mixing->values, "scale");
  if (!(change > 1e-3 * (std::isnan(scale) ? 1 : scale)) || !(change > 1e-6)) {
    return;
  }
  // Recurrent layers of PyTorch take the steps of a sequence first: the first axis may be no batch.
  const auto recurrent = std::ranges::find_if(trace.layers(), [](const auto& entry) {
    const auto batch_first = entry.second.settings.find("batch_first");
    return is_recurrent(entry.second) && batch_first != entry.second.settings.end() &&
           *batch_first == false;
  });
  if (recurrent != trace.layers().end()) {
    report.at(recurrent->second, 0, "the prediction for one row depends on the other rows")
        .severity(Severity::info)
        .type("tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format-for-rnn")
        .evidence(format("changing the other rows moves the first prediction by up to {}",
                         number(change)))
        .help("a recurrent layer takes (steps, batch, features) unless batch_first=True");
  } else if (has_batches(trace) || trace.ended()) {
    report.at_run(0, "the prediction for one sample depends on the other samples of the batch")
        .severity(has_batches(trace) ? Severity::warning : Severity::info)
        .evidence(format("changing the other samples moves the first prediction by up to {}",
                         number(change)))
        .help("look for a reshape, transpose or mean over the batch axis");
  }
}

extern const Symptom samples_mix{
    .name = "samples-mix",
    .summary = "Finds a model whose prediction for one sample depends on the others of the batch",
    .type = "tensors-and-inputs/wrong-tensor-shape/tensor-shape-mismatch",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
