#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/tf1/graph.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::rules {

using namespace tf1;

namespace {

std::optional<double> number_of(Ref value)
{
  const auto* constant = program::as<program::Constant>(value);
  if (constant == nullptr) {
    return std::nullopt;
  }
  if (const auto* whole = std::get_if<int64_t>(&constant->value)) {
    return static_cast<double>(*whole);
  }
  const auto* real = std::get_if<double>(&constant->value);
  return real != nullptr ? std::optional(*real) : std::nullopt;
}

// One loss for each sample: TensorFlow trains on their sum.
void check_vector(const Call& step, const Tensor& loss, Reporter& report)
{
  const program::Argument* argument = step.argument("loss");
  if (!loss.shape.has_rank() || *loss.shape.rank() == 0 || loss.shape.elements().is(1)) {
    return;
  }
  Draft& draft =
      report
          .add(argument != nullptr ? argument->span : step.span,
               format("the loss has shape {}: training follows the sum of all its elements",
                      loss.shape.text()))
          .help("reduce it with `tf.reduce_mean`")
          .cause(&step);
  if (loss.producer != nullptr) {
    draft.note(loss.producer->span, "one value for each sample");
  }
}

struct Sum {
  const Call* call;
  double factor;
};

// The loss is a sum, changed in sign or by a known factor only.
std::optional<Sum> summed(const Tensor* loss)
{
  double factor = 1;
  while (loss != nullptr && loss->producer != nullptr) {
    const Call& call = *loss->producer;
    if (call.is("reduce_sum")) {
      return Sum{&call, factor};
    }
    if (call.is("mul")) {
      std::optional<double> scale;
      for (const program::Argument& argument : call.arguments) {
        scale = scale ? scale : number_of(argument.value);
      }
      if (!scale) {
        return std::nullopt;
      }
      factor *= std::abs(*scale);
    } else if (!call.is("neg") && !call.is("identity")) {
      return std::nullopt;
    }
    loss = call.input();
  }
  return std::nullopt;
}

// How many samples the sum runs over: the first size of what is fed.
std::optional<int64_t> samples_of(const Graph& graph, const Call& step, const Call& sum)
{
  const Needs needs = graph.needs_of({sum.result});
  for (const Run& run : graph.runs()) {
    if (!run.needs.has(step)) {
      continue;
    }
    for (const Feed& feed : run.feeds) {
      const Call* holder = maker(feed.placeholder);
      const auto* data = program::as<Tensor>(feed.value);
      const bool is_summed = holder != nullptr && data != nullptr && needs.has(*holder) &&
                             data->shape.rank().value_or(0) >= 2;
      if (is_summed && data->shape.at(0).constant()) {
        return data->shape.at(0).constant();
      }
    }
  }
  return std::nullopt;
}

// The sum over n samples at rate r moves as far as the mean at rate n * r.
void check_sum(const Graph& graph, const Call& step, const Tensor& loss, Reporter& report)
{
  constexpr double k_highest_rate = 2;
  const auto* optimizer = program::as<Instance>(step.self);
  const Call* made = optimizer != nullptr ? optimizer->made_by : nullptr;
  if (made == nullptr || !made->is("sgd")) {
    return; // the others scale their steps themselves
  }
  const std::optional<double> rate = number_of(made->arg("learning_rate"));
  const std::optional<Sum> sum = summed(&loss);
  if (!rate || !sum) {
    return;
  }
  const std::optional<int64_t> samples = samples_of(graph, step, *sum->call);
  if (!samples || *rate * sum->factor * static_cast<double>(*samples) < k_highest_rate) {
    return;
  }
  const program::Argument* written_rate = made->argument("learning_rate");
  report
      .add(sum->call->span,
           format("the loss is summed over {} samples, at a learning rate of {}", *samples, *rate))
      .label(format("as the mean at a rate of {}",
                    *rate * sum->factor * static_cast<double>(*samples)))
      .note(written_rate != nullptr ? written_rate->span : made->span, "the learning rate")
      .help("use `tf.reduce_mean`, so that the rate does not depend on the batch")
      .cause(&step);
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  const Graph graph(program);
  for (const Call& call : program.calls()) {
    const auto* loss = program::as<Tensor>(call.arg("loss"));
    if (call.name == "tensorflow.train.Optimizer.minimize" && loss != nullptr) {
      check_vector(call, *loss, report);
      check_sum(graph, call, *loss, report);
    }
  }
}

extern const Rule loss_not_averaged{
    .name = "loss-not-averaged",
    .summary =
        "Finds a loss that is not reduced, or summed over the batch at a fixed learning rate",
    .applies = "tf1",
    .type = "training/loss-function/wrong-loss-function-calculation",
    .fix_pattern = "loss-function",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
