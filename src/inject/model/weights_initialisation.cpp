#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/rewrites.hpp"

#include <algorithm>
#include <array>

namespace faultline::inject {

// Setting, what PyTorch has for it.
static constexpr auto k_torch = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"glorot_normal", "xavier_normal_({})"},
    {"glorot_uniform", "xavier_uniform_({})"},
    {"he_normal", "kaiming_normal_({})"},
    {"he_uniform", "kaiming_uniform_({})"},
    {"orthogonal", "orthogonal_({})"},
    {"truncated_normal", "trunc_normal_({}, std=0.05)"},
    {"random_normal", "normal_({}, std=0.05)"},
    {"random_uniform", "uniform_({}, -0.05, 0.05)"},
    {"constant", "constant_({}, 0.05)"},
    {"ones", "ones_({})"},
    {"zeros", "zeros_({})"},
});

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  const auto torch =
      std::ranges::find(k_torch, setting, &std::pair<std::string_view, std::string_view>::first);
  for (const Layer& layer : layers_of(code)) {
    if (!layer.has_weights() || layer.is({"Embedding", "LSTM", "GRU", "RNN"})) {
      continue;
    }
    if (layer.framework == Framework::keras) {
      const Argument* given = layer.call.find("kernel_initializer");
      const std::string word = format("\"{}\"", setting);
      if (given != nullptr && string_of(given->value) != std::string(setting)) {
        rewrite(given->value, word, given->whole, found);
      } else if (given == nullptr && !layer.call.has_stars && setting != "glorot_uniform") {
        found.push_back(mutation({add_argument(layer.call, "kernel_initializer=" + word)},
                                 layer.call.node.text(),
                                 word));
      }
    } else if (layer.place == Layer::Place::named && torch != k_torch.end()) {
      const std::string_view pattern = torch->second;
      const size_t hole = pattern.find("{}");
      const std::string line = format("{}.{}{}.weight{}",
                                      code.spelled("torch.nn.init"),
                                      pattern.substr(0, hole),
                                      layer.variable,
                                      pattern.substr(hole + 2));
      if (const std::optional<Edit> edit =
              insert_after(code, *statement_of(layer.call.node), {line})) {
        found.push_back(mutation({*edit}, layer.call.node.text(), line));
      }
    } else if (layer.place == Layer::Place::item && torch != k_torch.end()) {
      // Without a name: a function that is called with the layer and gives it back.
      const std::string_view pattern = torch->second;
      const size_t hole = pattern.find("{}");
      const size_t begin = layer.call.node.begin_byte();
      const std::string call = format("{}.{}_layer.weight{}",
                                      code.spelled("torch.nn.init"),
                                      pattern.substr(0, hole),
                                      pattern.substr(hole + 2));
      found.push_back(mutation({{begin, begin, format("(lambda _layer: ({}, _layer)[1])(", call)},
                                insert_behind(layer.call.node, ")")},
                               layer.call.node.text(),
                               call));
    }
  }
}

extern const Operator weights_initialisation;
const Operator weights_initialisation{
    .name = "change-weights-initialisation",
    .acronym = "WCI",
    .summary = "Initialises weights differently",
    .type = "model/model-type-and-properties/wrong-weights-initialisation",
    .level = Level::dl,
    .setting = {.name = "initialisation",
                .values = {"glorot_normal",
                           "glorot_uniform",
                           "he_normal",
                           "he_uniform",
                           "lecun_normal",
                           "lecun_uniform",
                           "orthogonal",
                           "truncated_normal",
                           "random_normal",
                           "random_uniform",
                           "constant",
                           "ones",
                           "zeros"},
                .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
