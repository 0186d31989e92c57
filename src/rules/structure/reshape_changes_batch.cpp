#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <set>

namespace faultline::rules {

// The batch sizes that the program asks for, by the place that says so.
static std::vector<const program::Argument*> batch_sizes(const Program& program)
{
  std::vector<const program::Argument*> sizes;
  for (const Call& call : program.calls()) {
    const bool makes_batches = call.is("fit") || call.is("batch") || call.is("data_loader") ||
                               call.is("flow") || call.is("flow_from_directory");
    const program::Argument* size = makes_batches ? call.given("batch_size") : nullptr;
    if (size != nullptr && int_of(size->value)) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

// The constant that a reshape puts in the place of the batch; nothing if it keeps it.
static std::optional<int64_t> fixed_batch(const Call& call)
{
  const Tensor* input = call.is("reshape") ? data_input(call) : nullptr;
  const auto* result = program::as<Tensor>(call.result);
  if (input == nullptr || result == nullptr || result->shape.rank() < 2 ||
      input->shape.at(0) != program::Dim::batch()) {
    return std::nullopt;
  }
  return result->shape.at(0).constant();
}

static void check(const Program& program, Reporter& report)
{
  const std::vector<const program::Argument*> sizes = batch_sizes(program);
  if (sizes.empty() || has_two_optimizers(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    const std::optional<int64_t> fixed = fixed_batch(call);
    const bool is_asked_for = std::ranges::any_of(sizes, [&](const program::Argument* size) {
      return int_of(size->value) == fixed;
    });
    if (!fixed || is_asked_for) {
      continue;
    }
    report
        .add(call.span,
             format("the batch is reshaped to {} samples, but batches have {}",
                    *fixed,
                    *int_of(sizes.front()->value)))
        .note(sizes.front()->span, "the size of a batch is given here")
        .help("write -1 for the batch")
        .cause(&call);
  }
}

extern const Rule reshape_changes_batch{
    .name = "reshape-changes-batch",
    .summary = "Finds a reshape with a constant number of samples that is not the batch size",
    .applies = "any",
    .leaf = "I09",
    .fix = "DD",
    .severity = Severity::error,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
