#include "rules/facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <array>

namespace faultline::rules {

using program::as;

namespace {

constexpr std::string_view k_prefix = "torchvision.transforms.";

// "Normalize" of a step of torchvision; empty for anything else, of which nothing is known.
std::string_view step_name(Ref step)
{
  const auto* object = as<Instance>(step);
  if (object == nullptr || object->api == nullptr || object->klass != nullptr ||
      !object->api->name.starts_with(k_prefix)) {
    return {};
  }
  const std::string_view name = object->api->name;
  return name.substr(name.rfind('.') + 1);
}

template <size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& all)
{
  return std::ranges::find(all, name) != all.end();
}

// Want a tensor of numbers in [0, 1], or one at all.
constexpr std::array<std::string_view, 3> k_on_tensors = {
    "Normalize", "RandomErasing", "LinearTransformation"};
// Want a picture or a tensor of bytes, which ToTensor no longer gives.
constexpr std::array<std::string_view, 8> k_on_bytes = {"ToTensor",
                                                        "PILToTensor",
                                                        "AutoAugment",
                                                        "RandAugment",
                                                        "AugMix",
                                                        "TrivialAugmentWide",
                                                        "RandomEqualize",
                                                        "RandomPosterize"};
constexpr std::array<std::string_view, 14> k_random = {"RandomCrop",
                                                       "RandomResizedCrop",
                                                       "RandomHorizontalFlip",
                                                       "RandomVerticalFlip",
                                                       "RandomRotation",
                                                       "RandomAffine",
                                                       "RandomPerspective",
                                                       "RandomErasing",
                                                       "ColorJitter",
                                                       "RandomGrayscale",
                                                       "AutoAugment",
                                                       "RandAugment",
                                                       "TrivialAugmentWide",
                                                       "RandomSizedCrop"};

Span place_of(Ref step, const Call& chain)
{
  const auto* object = as<Instance>(step);
  return object != nullptr && object->made_by != nullptr ? object->made_by->span : chain.span;
}

std::vector<Ref> steps_of(Ref chain)
{
  const auto* object = as<Instance>(chain);
  if (step_name(chain) == "Compose" && object->made_by != nullptr) {
    const auto* list = as<program::Sequence>(object->made_by->arg("transforms"));
    return list != nullptr && !list->open ? list->items : std::vector<Ref>();
  }
  return step_name(chain).empty() ? std::vector<Ref>() : std::vector<Ref>{chain};
}

void check_order(Reporter& report, const Call& chain)
{
  const std::vector<Ref> steps = steps_of(chain.result);
  const auto is_to_tensor = [](Ref step) { return step_name(step) == "ToTensor"; };
  const auto to_tensor = std::ranges::find_if(steps, is_to_tensor);
  if (to_tensor == steps.end()) {
    return;
  }
  for (auto step = steps.begin(); step != to_tensor; ++step) {
    const std::string_view name = step_name(*step);
    if (name.empty() || name == "Lambda") {
      return; // may turn the picture into anything
    }
    if (is_one_of(name, k_on_tensors)) {
      report.add(place_of(*step, chain), format("`{}` comes before `ToTensor`", name))
          .label("gets a picture but works on tensors")
          .note(place_of(*to_tensor, chain), "the picture becomes a tensor here")
          .help(format("put `{}` behind `ToTensor`", name));
      return;
    }
  }
  for (auto step = to_tensor + 1; step != steps.end(); ++step) {
    const std::string_view name = step_name(*step);
    if (name.empty() || name == "Lambda" || name == "ToPILImage" || name == "ConvertImageDtype") {
      return;
    }
    if (is_one_of(name, k_on_bytes)) {
      report.add(place_of(*step, chain), format("`{}` comes after `ToTensor`", name))
          .label("works on pictures, but gets a tensor of numbers from 0 to 1")
          .note(place_of(*to_tensor, chain), "the picture becomes a tensor here")
          .help(format("put `{}` before `ToTensor`", name));
      return;
    }
  }
}

// Data to test on: train=False, split='test', or a folder named so.
bool is_for_testing(const Call& call)
{
  if (bool_of(call.arg("train")) == false) {
    return true;
  }
  const auto split = text_of(call.arg("split"));
  if (split && (*split == "test" || *split == "val" || *split == "valid")) {
    return true;
  }
  const auto root = text_of(call.arg("root"));
  return root && (root->ends_with("/test") || root->ends_with("/val") || root->ends_with("/valid"));
}

void check_testing(Reporter& report, const Call& call)
{
  if (!is_for_testing(call)) {
    return;
  }
  for (const Ref step : steps_of(call.arg("transform"))) {
    if (is_one_of(step_name(step), k_random)) {
      report
          .add(place_of(step, call),
               format("`{}` changes the test data at random", step_name(step)))
          .note(call.span, "used for these data")
          .help("test on the images as they are, with `Resize` or `CenterCrop` where sizes differ")
          .severity(Severity::warning)
          .type("training/training-process/redundant-data-augmentation");
      return;
    }
  }
}

// What the models saw when an image went through the chain.
void check_problems(const Program& program, Reporter& report)
{
  for (const program::Problem& problem : program.problems()) {
    const Call* call = problem.call;
    if (call != nullptr && call->name == "torchvision.transforms.Normalize" &&
        (problem.kind == program::ProblemKind::features ||
         problem.kind == program::ProblemKind::bad_argument)) {
      Draft& draft = report.add(problem.span, problem.message).cause(call);
      draft.help(!problem.help.empty() ? problem.help
                                       : "give one mean and one deviation for each channel");
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (call.layer == nullptr && call.name == "torchvision.transforms.Compose") {
      check_order(report, call);
    } else if (call.name.starts_with("torchvision.datasets.") && call.self == nullptr) {
      check_testing(report, call);
    }
  }
  check_problems(program, report);
}

} // namespace

extern const Rule transform_order{
    .name = "transform-order",
    .summary = "Finds image transforms in the wrong order, for the wrong channels or on test data",
    .applies = "torch",
    .type = "training/preprocessing-of-training-data/wrong-preprocessing/wrong-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::error,
    .confidence = Confidence::high,
    .rank = 5,
    .check = check,
};

} // namespace faultline::rules
