#include "base/format.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  const auto change = [&found](const Call& call, const Argument* data, const Argument* size) {
    const bool has_size = data != nullptr &&
                          (data->value.kind() == "identifier" || data->value.kind() == "attribute");
    if (!has_size || call.has_stars) {
      return;
    }
    const std::string all = format("len({})", data->value.text());
    const Edit edit =
        size != nullptr ? replace(size->value, all) : add_argument(call, "batch_size=" + all);
    found.push_back(
        mutation({edit}, size != nullptr ? size->whole.text() : call.callee.text(), all));
  };
  for (const Call& loader : training_loaders_of(code)) {
    if (loader.find("batch_sampler") == nullptr) {
      change(loader, loader.find("dataset", 0), loader.find("batch_size", 1));
    }
  }
  for (const Call& call : code.calls()) {
    if (is_fit(code, call) && call.find("y", 1) != nullptr) {
      change(call, call.find("x", 0), call.find("batch_size", 2));
    }
  }
}

extern const Operator no_batching;
const Operator no_batching{
    .name = "disable-batching",
    .acronym = "HDB",
    .summary = "Makes one batch of all training data",
    .type = "training/hyperparameters/data-batching-required",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
