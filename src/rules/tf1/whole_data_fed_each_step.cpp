#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

namespace faultline::rules {

using namespace tf1;

// An array that was made before the loop, with so many samples that it is no batch.
static const Tensor* whole_array(const Feed& feed, const Context& loop)
{
  constexpr int64_t k_many = 5000;
  const auto* data = program::as<Tensor>(feed.value);
  if (data == nullptr || data->shape.rank().value_or(0) < 2 ||
      data->shape.at(0).constant().value_or(0) < k_many) {
    return nullptr;
  }
  const bool is_made_inside =
      data->producer != nullptr && is_inside(data->producer->context, loop.syntax);
  return is_made_inside ? nullptr : data;
}

static void check(const Graph& graph, Reporter& report)
{
  for (const Run& run : graph.runs()) {
    const Context* loop = loop_of(*run.call);
    if (loop == nullptr || first_of(run.needs, is_training) == nullptr) {
      continue;
    }
    for (const Feed& feed : run.feeds) {
      if (const Tensor* data = whole_array(feed, *loop)) {
        const program::Argument* feeds = run.call->given("feed_dict");
        const bool is_written = feeds != nullptr && run.call->span.contains(feeds->span);
        report
            .add(is_written ? feeds->span : run.call->span,
                 format("all {} samples are fed in every training step",
                        *data->shape.at(0).constant()))
            .help("feed a batch of 32 to 256 samples, another one in each step")
            .cause(run.call);
        break;
      }
    }
  }
}

extern const Rule whole_data_fed_each_step{
    .name = "whole-data-fed-each-step",
    .summary = "Finds training steps that are fed with the whole training data",
    .applies = "tf1",
    .type = "training/hyperparameters/data-batching-required",
    .fix_pattern = "iterations",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check_graph<check>,
};

} // namespace faultline::rules
