#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

// What a network gives before any decision: no whole numbers.
bool is_raw_output(const Tensor* tensor)
{
  constexpr std::string_view k_ops[] = {
      "dense", "conv", "sigmoid", "softmax", "log_softmax", "tanh", "batch_norm", "layer_norm"};
  const Call* producer = value_producer(tensor);
  for (int i = 0;
       i < 4 && producer != nullptr && (producer->is("detach") || producer->is("to_numpy"));
       ++i) {
    producer = value_producer(producer->input());
  }
  return producer != nullptr && tensor->dtype.is_floating() &&
         std::ranges::find(k_ops, producer->op()) != std::end(k_ops);
}

// Data that are no output of anything.
bool is_label(const Tensor* tensor)
{
  const Call* producer = value_producer(tensor);
  return producer == nullptr || producer->has(program::k_source) || producer->is("from_array") ||
         producer->is("random_int") || tensor->encoding == program::Encoding::class_index ||
         tensor->encoding == program::Encoding::one_hot ||
         (tensor->source != nullptr && tensor->source->part == program::DataSource::Part::labels);
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const std::vector<Tensor*> inputs = call.inputs();
    if (!call.is("equal") || inputs.size() != 2 || call.name.find("close") != std::string::npos) {
      continue;
    }
    for (size_t i = 0; i < 2; ++i) {
      // A cast to whole numbers on the way decides.
      if (is_raw_output(inputs[i]) && inputs[i]->producer != nullptr && is_label(inputs[1 - i]) &&
          !is_raw_output(inputs[1 - i])) {
        report.add(call.span, "raw outputs are never equal to labels")
            .label("compares real numbers for equality")
            .help("decide first: `argmax(1)` for classes, `> 0.5` for a probability, `> 0` for a "
                  "logit")
            .cause(&call);
        break;
      }
    }
  }
}

} // namespace

extern const Rule equality_of_real_numbers{
    .name = "equality-of-real-numbers",
    .summary = "Finds hits that are counted by comparing raw outputs with labels",
    .applies = "any",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
