#include "base/format.hpp"
#include "inject/training.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

struct LossChoice {
  std::string_view kind;     // the setting
  std::string_view type;     // in torch.nn
  std::string_view function; // in torch.nn.functional
  bool takes_classes;        // numbers of classes rather than values
};

static constexpr auto k_torch = std::to_array<LossChoice>({
    {"mean_squared_error", "MSELoss", "mse_loss", false},
    {"mean_absolute_error", "L1Loss", "l1_loss", false},
    {"hinge", "SoftMarginLoss", "soft_margin_loss", false},
    {"log_cosh", "SmoothL1Loss", "smooth_l1_loss", false},
    {"huber", "HuberLoss", "huber_loss", false},
    {"binary_crossentropy", "BCEWithLogitsLoss", "binary_cross_entropy_with_logits", false},
    {"binary_crossentropy", "BCELoss", "binary_cross_entropy", false},
    {"poisson", "PoissonNLLLoss", "poisson_nll_loss", false},
    {"categorical_hinge", "MultiMarginLoss", "multi_margin_loss", true},
    {"categorical_crossentropy", "CrossEntropyLoss", "cross_entropy", true},
    {"negative_log_likelihood", "NLLLoss", "nll_loss", true},
});

static void
change_torch(const Code& code, const Call& call, std::string_view setting, Mutations& found)
{
  const bool is_function = call.name.starts_with("torch.nn.functional.");
  const auto now = std::ranges::find(
      k_torch, call.last(), is_function ? &LossChoice::function : &LossChoice::type);
  const auto other = std::ranges::find(k_torch, setting, &LossChoice::kind);
  const bool is_plain = call.arguments.size() == (is_function ? 2U : 0U) && !call.has_stars;
  if (now == k_torch.end() || other == k_torch.end() || now->kind == other->kind ||
      now->takes_classes != other->takes_classes || !is_plain) {
    return;
  }
  const std::string name = is_function ? "torch.nn.functional." + std::string(other->function)
                                       : "torch.nn." + std::string(other->type);
  found.push_back(
      mutation({replace(call.callee, code.spelled(name))}, call.node.text(), other->type));
}

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (call.name.starts_with("torch.nn.")) {
      change_torch(code, call, setting, found);
    }
    const Argument* loss = is_compile(code, call) ? call.find("loss", 1) : nullptr;
    const std::optional<std::string> now = loss != nullptr ? string_of(loss->value) : std::nullopt;
    if (now && now != setting && setting != "negative_log_likelihood") {
      found.push_back(
          mutation({replace(loss->value, format("\"{}\"", setting))}, loss->whole.text(), setting));
    }
  }
}

extern const Operator loss;
const Operator loss{
    .name = "change-loss",
    .acronym = "LCH",
    .summary = "Uses a different loss",
    .type = "training/loss-function/wrong-selection-of-loss-function",
    .level = Level::dl,
    .setting = {.name = "loss",
                .values = {"mean_squared_error",
                           "mean_absolute_error",
                           "mean_absolute_percentage_error",
                           "mean_squared_logarithmic_error",
                           "squared_hinge",
                           "hinge",
                           "categorical_hinge",
                           "log_cosh",
                           "huber",
                           "categorical_crossentropy",
                           "binary_crossentropy",
                           "kl_divergence",
                           "poisson",
                           "negative_log_likelihood"},
                .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
