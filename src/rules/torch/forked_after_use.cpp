#include "rules/facts.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

bool is_compute(const Call& call)
{
  constexpr std::string_view k_ops[] = {"dense", "conv", "matmul", "backward", "optimizer_step"};
  return std::ranges::find(k_ops, call.op()) != std::end(k_ops);
}

// Something that starts processes or threads anew in each worker.
bool is_precaution(const Call& call)
{
  constexpr std::string_view k_names[] = {
      "multiprocessing.set_start_method", "multiprocessing.get_context", "torch.set_num_threads"};
  if (std::ranges::find(k_names, call.name) == std::end(k_names) || call.arguments.empty()) {
    return false;
  }
  const Ref value = call.arguments.front().value;
  return call.name == "torch.set_num_threads" ? int_of(value) == 1 : text_of(value) != "fork";
}

bool is_inside_function(const Call& call, const program::Function& function)
{
  for (const Context* region = call.context; region != nullptr; region = region->parent) {
    if (region->kind == Context::Kind::function && region->subject == &function) {
      return true;
    }
  }
  return false;
}

// The function of the program that a worker runs: of Process(target=…), or handed to some method of
// the pool.
const program::Function* work_of(const Program& program, const Call& made)
{
  if (const auto* target = as<program::Function>(made.arg("target"))) {
    return target;
  }
  const Context* around = function_around(made.context);
  for (size_t i = made.order + 1; i < program.calls().size(); ++i) {
    const Call& call = program.calls()[i];
    const bool is_method = call.self == made.result && call.name.starts_with("?.");
    if (is_method && function_around(call.context) == around && !call.surplus.empty()) {
      if (const auto* work = as<program::Function>(call.surplus.front().value)) {
        return work;
      }
    }
  }
  return nullptr;
}

void check(const Program& program, Reporter& report)
{
  if (!program.uses("torch") || std::ranges::any_of(program.calls(), is_precaution)) {
    return;
  }
  for (const Call& made : program.calls()) {
    const bool starts_afresh = made.given("context") != nullptr ||
                               made.given("initializer") != nullptr ||
                               made.keyword("mp_context") != nullptr;
    if (!made.is("fork") || starts_afresh || made.speculative) {
      continue;
    }
    const program::Function* work = work_of(program, made);
    const Call* before = nullptr;
    bool works = false;
    for (const Call& call : program.calls()) {
      if (is_compute(call) && before == nullptr && call.order < made.order && !call.speculative) {
        before = &call;
      }
      works = works || (work != nullptr && is_compute(call) && is_inside_function(call, *work));
    }
    if (before == nullptr || !works) {
      continue;
    }
    report.add(made.span, "worker processes are forked after PyTorch was used here")
        .label("the workers get its state, but not its threads")
        .note(before->span, "computed in this process before")
        .note(work->origin, "the workers compute, too, and wait for threads that are not there")
        .help("use a start method that starts afresh, `multiprocessing.get_context(\"spawn\")`, or "
              "threads; or start the workers first");
  }
}

} // namespace

extern const Rule forked_after_use{
    .name = "forked-after-use",
    .summary = "Finds worker processes that are forked after PyTorch was used and use it too",
    .applies = "torch",
    .type = "gpu-usage/incorrect-state-sharing",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
