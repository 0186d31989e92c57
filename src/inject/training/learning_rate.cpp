#include "base/format.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const std::optional<double> factor = number_of(setting);
  if (!factor) {
    return;
  }
  const Code code(subject);
  for (const Call& call : code.calls()) {
    if (!makes_optimizer(call)) {
      continue;
    }
    const bool is_torch = makes_torch_optimizer(call);
    const Argument* rate = call.find("lr", is_torch ? 1 : 0);
    rate = rate == nullptr ? call.find("learning_rate") : rate;
    if (rate != nullptr) {
      const std::string slower = scaled(rate->value, *factor);
      found.push_back(mutation({replace(rate->value, slower)}, rate->value.text(), slower));
    } else if (!call.has_stars && call.last() != "SGD") {
      const std::string slower =
          format("{}={}", is_torch ? "lr" : "learning_rate", python_number(0.001 * *factor));
      found.push_back(mutation({add_argument(call, slower)}, call.node.text(), slower));
    }
  }
}

extern const Operator learning_rate;
const Operator learning_rate{
    .name = "decrease-learning-rate",
    .acronym = "HLR",
    .summary = "Makes the learning rate smaller",
    .leaf = "H02",
    .level = Level::dl,
    .setting = {.name = "factor",
                .values = {"0.5", "0.1", "0.01", "0.001"},
                .search = Search::binary,
                .precision = 0.01},
    .find = find,
};

} // namespace faultline::inject
