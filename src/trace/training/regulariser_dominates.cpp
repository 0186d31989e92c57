#include "trace/facts.hpp"
#include "trace/symptom.hpp"

#include <algorithm>

namespace faultline::trace {

static void check(const Trace& trace, Reporter& report)
{
  const Experiment* measured = trace.experiment("regulariser");
  if (measured == nullptr) {
    return;
  }
  const auto data = measured->values.find("data");
  const auto penalty = measured->values.find("penalty");
  if (data == measured->values.end() || penalty == measured->values.end() || !data->is_array() ||
      !penalty->is_array()) {
    return;
  }
  const size_t n = std::min(data->size(), penalty->size());
  // At the end of a good run, the gradient of the data is small anyway, so the first checks count.
  for (size_t i = 0; i < 5; ++i) {
    if (n < 5 || !(*data)[i].is_number() || !(*penalty)[i].is_number() ||
        !((*penalty)[i].get<double>() >= 2 * (*data)[i].get<double>()) ||
        !((*data)[i].get<double>() > 0)) {
      return;
    }
  }
  const Site site = trace.optimizers().empty() ? Site() : trace.optimizers().front().site;
  report.at(site, 0, "the penalty on the weights outweighs the data")
      .severity(progress_of(trace).fails() ? Severity::warning : Severity::info)
      .evidence(format("norm of the gradient: {} from the penalty, {} from the data",
                       number((*penalty)[0].get<double>()),
                       number((*data)[0].get<double>())))
      .help("lower the weight decay by a factor of ten or more");
}

extern const Symptom regulariser_dominates{
    .name = "regulariser-dominates",
    .summary = "Finds a penalty whose gradient outweighs that of the data",
    .type = "training/hyperparameters/missing-regularisation-loss-and-weight",
    .fix_pattern = "optimizer",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::trace
