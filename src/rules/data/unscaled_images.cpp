#include "program/values/walk.hpp"
#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

static constexpr double k_bytes = 255;

static bool is_unscaled_image(const Tensor* data)
{
  return data != nullptr && data->interval.is_known() && data->interval.high() == k_bytes &&
         data->interval.low() == 0 && data->shape.rank().value_or(2) >= 2 &&
         (data->encoding == program::Encoding::image ||
          (data->source != nullptr && data->source->part == program::DataSource::Part::features));
}

// Something in front brings the values into range: a scaling layer, a normalisation, or code of the
// user's own.
static bool is_scaled_inside(const Tensor* tensor, const Tensor* data)
{
  return program::any_reachable(tensor, [data](const Tensor& one, const auto& add) {
    if (&one == data || one.producer == nullptr) {
      return false;
    }
    const Call& call = *one.producer;
    if (call.has(program::k_normalising) || call.is("rescaling") || call.is("lambda") ||
        call.is("div") || call.is("mul")) {
      return true;
    }
    std::ranges::for_each(call.inputs(), add);
    return false;
  });
}

static void check(const Program& program, Reporter& report)
{
  for (const LossUse& use : program.losses()) {
    if (use.fit == nullptr || use.prediction == nullptr) {
      continue;
    }
    const program::Argument* argument = use.fit->argument("x");
    if (argument == nullptr || !argument->given) {
      argument = use.fit->argument("generator");
    }
    const auto* data = argument != nullptr ? program::as<Tensor>(argument->value) : nullptr;
    if (!is_unscaled_image(data) || is_scaled_inside(use.prediction, data)) {
      continue;
    }
    Draft& draft =
        report.add(argument->span, "images with values from 0 to 255 reach the network unscaled")
            .help("divide by 255, and do the same to the test images")
            .cause(data);
    note_loader(draft, *data);
  }
  for (const Call& call : program.calls()) {
    const Tensor* data =
        call.has(program::k_learning) && call.name.starts_with("torch.") ? call.input() : nullptr;
    if (is_unscaled_image(data) && !call.is("embedding") && !is_scaled_inside(data, nullptr)) {
      report.add(call.span, "images with values from 0 to 255 reach this layer unscaled")
          .help("divide by 255, or use `transforms.ToTensor()`")
          .cause(data);
    }
  }
}

extern const Rule unscaled_images{
    .name = "unscaled-images",
    .summary = "Finds images in 0 to 255 that reach the network unscaled",
    .applies = "any",
    .type =
        "training/preprocessing-of-training-data/missing-preprocessing/missing-preprocessing-step",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
