#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"
#include "rules/training.hpp"
#include "rules/values.hpp"

#include <algorithm>

namespace faultline::rules {

using program::as;

namespace {

bool is_none(Ref value)
{
  return value == nullptr || value->kind == program::Kind::none;
}

// The loop goes over the loader itself, or over what enumerate, tqdm or zip made of it.
bool goes_over(const Program& program, Ref iterable, Ref loader)
{
  constexpr program::WalkLimits k_near = {.depth = 4};
  return program::walk(
      iterable,
      false,
      [&](Ref one, auto& into) {
        return one == loader || std::ranges::any_of(program.calls(), [&](const Call& call) {
                 return call.result == one &&
                        std::ranges::any_of(call.arguments, [&](const program::Argument& argument) {
                          return argument.given && into(argument.value);
                        });
               });
      },
      program::Again::reuse,
      k_near);
}

const TrainingLoop*
loop_over(const Program& program, const std::vector<TrainingLoop>& loops, Ref loader)
{
  for (const TrainingLoop& loop : loops) {
    if (has(loop.events, Event::Kind::backward) && has(loop.events, Event::Kind::update) &&
        goes_over(program, loop.loop->iterable, loader)) {
      return &loop;
    }
  }
  return nullptr;
}

// Samples by number, in the order they were stored in.
bool is_ordered(Ref value)
{
  const auto* dataset = as<Instance>(value);
  if (dataset == nullptr || dataset->api == nullptr) {
    return false;
  }
  if (dataset->klass != nullptr) {
    return dataset->api->name == "torch.utils.data.Dataset" && !dataset->klass->base_unknown;
  }
  return dataset->api->name.starts_with("torchvision.datasets.") ||
         dataset->api->name == "torch.utils.data.TensorDataset";
}

const Instance* batch_norm_in(const Program& program, const TrainingLoop& loop, int rank)
{
  for (size_t i = loop.rounds.front().first; i < loop.rounds.back().end; ++i) {
    const Call& call = program.calls()[i];
    if (call.is("batch_norm") && call.layer != nullptr && call.layer->made_by != nullptr &&
        (rank == 0 || call.api->number == rank)) {
      return call.layer;
    }
  }
  return nullptr;
}

void check_shuffling(const Program& program, Reporter& report, const Call& call)
{
  const bool is_shuffled = bool_of(call.arg("shuffle")) != false && !is_none(call.arg("shuffle"));
  if (is_shuffled || !is_none(call.arg("sampler")) || !is_none(call.arg("batch_sampler")) ||
      !is_ordered(call.arg("dataset"))) {
    return;
  }
  Draft& draft = report.add(call.span, "training data are not shuffled")
                     .label("the same order in every epoch")
                     .help("pass `shuffle=True`");
  const std::string_view text = program.text(call.span);
  if (const program::Argument* given = call.given("shuffle")) {
    draft.replace(given->span, "True").unsafe("shuffle the data in each epoch");
  } else if (text.ends_with(')') && !text.ends_with(",)")) {
    draft.insert(last_character(call.span), ", shuffle=True")
        .unsafe("shuffle the data in each epoch");
  }
}

void check_batch_size(const Program& program,
                      Reporter& report,
                      const Call& call,
                      const TrainingLoop& loop)
{
  if (call.given("batch_size") != nullptr || !is_none(call.arg("batch_sampler"))) {
    return;
  }
  const Instance* norm = batch_norm_in(program, loop, 0);
  Draft& draft = report.add(call.span, "the batch size is left at 1")
                     .help("pass `batch_size=`")
                     .type("training/hyperparameters/suboptimal-batch-size");
  if (norm == nullptr) {
    draft.severity(Severity::info);
  } else {
    draft.note(norm->made_by->span, "batch normalisation needs several samples");
  }
}

std::optional<int64_t> samples_in(const Instance& dataset)
{
  if (dataset.api->name == "torch.utils.data.TensorDataset" && dataset.made_by != nullptr &&
      !dataset.made_by->surplus.empty()) {
    const auto* first = as<Tensor>(dataset.made_by->surplus.front().value);
    return first != nullptr ? first->shape.at(0).constant() : std::nullopt;
  }
  const auto length = dataset.attributes.find("length");
  return length != dataset.attributes.end() ? int_of(length->second) : std::nullopt;
}

// The last batch has one sample, and batch normalisation of vectors refuses that.
void check_remainder(const Program& program,
                     Reporter& report,
                     const Call& call,
                     const TrainingLoop& loop)
{
  const auto* dataset = as<Instance>(call.arg("dataset"));
  const auto batch = int_of(call.arg("batch_size"));
  if (dataset == nullptr || dataset->api == nullptr || !batch || *batch < 2 ||
      bool_of(call.arg("drop_last")) != false) {
    return;
  }
  const auto samples = samples_in(*dataset);
  const Instance* norm =
      samples && *samples % *batch == 1 ? batch_norm_in(program, loop, 1) : nullptr;
  if (norm != nullptr) {
    report
        .add(call.span,
             format("{} samples in batches of {} leave one for the last batch", *samples, *batch))
        .note(norm->made_by->span, "batch normalisation cannot be trained on one sample")
        .help("pass `drop_last=True`")
        .severity(Severity::error)
        .type("training/hyperparameters/suboptimal-batch-size");
  }
}

void check(const Program& program, Reporter& report)
{
  const std::vector<TrainingLoop> loops = training_loops(program);
  for (const Call& call : program.calls()) {
    if (!call.is("data_loader") || !call.name.starts_with("torch") || call.result == nullptr) {
      continue;
    }
    const TrainingLoop* loop = loop_over(program, loops, call.result);
    if (loop != nullptr) {
      check_shuffling(program, report, call);
      check_batch_size(program, report, call, *loop);
      check_remainder(program, report, call, *loop);
    }
  }
}

} // namespace

extern const Rule training_data_not_shuffled{
    .name = "training-data-not-shuffled",
    .summary = "Finds training loaders that do not shuffle, or batches of one sample",
    .applies = "torch",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
