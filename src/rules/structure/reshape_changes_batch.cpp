#include "rules/reporter.hpp"
#include "rules/structure/networks.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

// A place where the program says how many samples a batch has.
struct BatchSize {
  int64_t size = 0;
  Span span;
  int64_t last = 0; // samples of the last batch; 0 if it is full, or if that is not known
};

std::optional<BatchSize> batch_size(const Call& call)
{
  const bool makes_batches = call.is("fit") || call.is("batch") || call.is("data_loader") ||
                             call.is("flow") || call.is("flow_from_directory") ||
                             call.is("input_queue");
  const program::Argument* given = makes_batches ? call.given("batch_size") : nullptr;
  const auto size = given != nullptr ? int_of(given->value) : std::nullopt;
  if (!size || *size <= 0) {
    return std::nullopt;
  }
  const auto* data = program::as<Tensor>(call.arg("x"));
  const auto samples = data != nullptr ? data->shape.at(0).constant() : std::nullopt;
  return BatchSize{*size, given->span, samples ? *samples % *size : 0};
}

// The constant that a reshape puts in the place of the batch; nothing if it keeps it.
std::optional<int64_t> fixed_batch(const Call& call)
{
  const Tensor* input = call.is("reshape") ? data_input(call) : nullptr;
  const auto* result = program::as<Tensor>(call.result);
  if (input == nullptr || result == nullptr || result->shape.rank() < 2 ||
      input->shape.at(0) != program::Dim::batch()) {
    return std::nullopt;
  }
  return result->shape.at(0).constant();
}

} // namespace

static void check(const Program& program, Reporter& report)
{
  std::vector<BatchSize> sizes;
  for (const Call& call : program.calls()) {
    if (const std::optional<BatchSize> size = batch_size(call)) {
      sizes.push_back(*size);
    }
  }
  if (sizes.empty() || has_two_optimizers(program)) {
    return;
  }
  for (const Call& call : program.calls()) {
    const std::optional<int64_t> fixed = fixed_batch(call);
    if (!fixed) {
      continue;
    }
    const auto same = std::ranges::find(sizes, *fixed, &BatchSize::size);
    const bool is_other = same == sizes.end();
    const BatchSize& size = is_other ? sizes.front() : *same;
    if (is_other || size.last > 0) {
      report
          .add(call.span,
               format("the batch is reshaped to {} samples, but {} has {}",
                      *fixed,
                      is_other ? "it" : "the last one",
                      is_other ? size.size : size.last))
          .note(size.span, "the size of a batch is given here")
          .help("write -1 for the batch")
          .cause(&call);
    }
  }
}

extern const Rule reshape_changes_batch{
    .name = "reshape-changes-batch",
    .summary = "Finds a reshape to a fixed number of samples that batches do not have",
    .applies = "any",
    .type = "tensors-and-inputs/wrong-input/wrong-shape-of-input-data/wrong-shape-of-input-data",
    .fix_pattern = "data-dimension",
    .severity = Severity::error,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
