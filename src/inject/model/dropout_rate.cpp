#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  if (!number_of(setting)) {
    return;
  }
  const Code code(subject);
  const auto change = [&](const Call& call, std::string_view keyword, size_t position) {
    const Argument* rate = call.find(keyword, position);
    if (rate != nullptr && number_of(rate->value) != number_of(setting)) {
      rewrite(rate->value, std::string(setting), call.node, found);
    } else if (rate == nullptr && call.arguments.empty() && !call.has_stars && setting != "0.5") {
      const std::string added = format("{}={}", keyword, setting);
      found.push_back(mutation({add_argument(call, added)}, call.node.text(), added));
    }
  };
  for (const Layer& layer : layers_of(code)) {
    if (layer.is({"Dropout",
                  "Dropout1d",
                  "Dropout2d",
                  "Dropout3d",
                  "AlphaDropout",
                  "SpatialDropout1D",
                  "SpatialDropout2D"})) {
      change(layer.call, layer.framework == Framework::torch ? "p" : "rate", 0);
    }
  }
  for (const Call& call : code.calls()) {
    if (call.name == "torch.nn.functional.dropout") {
      change(call, "p", 1);
    }
  }
}

extern const Operator dropout_rate;
const Operator dropout_rate{
    .name = "change-dropout-rate",
    .acronym = "RCD",
    .summary = "Changes the dropout rate",
    .type = "training/hyperparameters/suboptimal-hyperparameters-tuning",
    .level = Level::dl,
    .setting = {.name = "rate",
                .values = {"0.125", "0.25", "0.75", "1.0"},
                .search = Search::exhaustive,
                .range = k_share_or_none},
    .find = find,
};

} // namespace faultline::inject
