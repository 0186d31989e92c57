#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/torch/cuts.hpp"
#include "rules/training.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <set>

namespace faultline::rules {

using program::as;

namespace {

bool is_loss(const Call* call)
{
  return call != nullptr && call->op().starts_with("loss.");
}

// loss.requires_grad_(), Variable(loss, requires_grad=True): what is marked, and by which call.
const Tensor* marked(const Call& call)
{
  if (call.name.ends_with(".requires_grad_") && bool_of(call.arg("requires_grad")) != false) {
    return as<Tensor>(call.self);
  }
  const program::Argument* given = call.given("requires_grad");
  const bool makes = call.name.ends_with(".Variable") || call.name == "torch.tensor";
  return makes && given != nullptr && bool_of(given->value) == true ? call.input() : nullptr;
}

bool is_differentiated(const Program& program, const Call& call)
{
  return std::ranges::any_of(training_events(program, call.order, program.calls().size()),
                             [&call](const Event& event) {
                               return event.kind == Event::Kind::backward &&
                                      (event.object == call.result || event.object == call.self);
                             });
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    const Tensor* loss = marked(call);
    if (loss == nullptr || !is_loss(value_producer(loss)) || !is_differentiated(program, call)) {
      continue;
    }
    report.add(call.span, "a loss is told to require a gradient")
        .label("its own gradient says nothing about the weights")
        .note(loss->origin, "if this has no gradient, the way to the weights is cut")
        .help("find out what cuts it: `detach`, `.data`, `.item()`, NumPy, or `no_grad`");
  }
  for (const program::Store& store : program.stores()) {
    const auto* loss = as<Tensor>(store.object);
    if (store.name == "requires_grad" && loss != nullptr && is_loss(value_producer(loss)) &&
        bool_of(store.value) == true) {
      report.add(store.span, "a loss is told to require a gradient")
          .label("its own gradient says nothing about the weights")
          .help("find out what cuts it: `detach`, `.data`, `.item()`, NumPy, or `no_grad`");
    }
  }
}

} // namespace

extern const Rule gradient_forced_on_loss{
    .name = "gradient-forced-on-loss",
    .summary = "Finds losses that are made to require a gradient by hand",
    .applies = "torch",
    .type = "training/training-process/wrongly-implemented-back-propagation",
    .fix_pattern = "neural-connection",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
