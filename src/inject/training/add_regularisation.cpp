#include "base/format.hpp"
#include "inject/layers.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const Code code(subject);
  for (const Layer& layer : layers_of(code)) {
    const bool takes =
        layer.framework == Framework::keras && layer.has_weights() && layer.type != "Embedding";
    if (takes && layer.call.find("kernel_regularizer") == nullptr && !layer.call.has_stars) {
      const std::string added = format("kernel_regularizer=\"{}\"", setting);
      found.push_back(mutation({add_argument(layer.call, added)}, layer.call.node.text(), added));
    }
  }
  for (const Call& call : code.calls()) {
    if (setting == "l2" && makes_torch_optimizer(call) && call.find("weight_decay") == nullptr &&
        !call.has_stars) {
      found.push_back(mutation(
          {add_argument(call, "weight_decay=0.01")}, call.node.text(), "weight_decay=0.01"));
    }
  }
}

extern const Operator add_regularisation;
const Operator add_regularisation{
    .name = "add-weight-regularisation",
    .acronym = "RAW",
    .summary = "Adds a penalty on large weights",
    .type = "training/hyperparameters",
    .level = Level::dl,
    .setting = {.name = "norm", .values = {"l2", "l1", "l1_l2"}, .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
