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
      const std::string faster = scaled(rate->value, *factor);
      found.push_back(mutation({replace(rate->value, faster)}, rate->value.text(), faster));
    } else if (!call.has_stars && call.last() != "SGD") {
      const std::string faster =
          format("{}={}", is_torch ? "lr" : "learning_rate", python_number(0.001 * *factor));
      found.push_back(mutation({add_argument(call, faster)}, call.node.text(), faster));
    }
  }
}

extern const Operator raise_learning_rate;
const Operator raise_learning_rate{
    .name = "increase-learning-rate",
    .acronym = "",
    .summary = "Makes the learning rate larger",
    .leaf = "H02",
    .level = Level::dl,
    .setting = {.name = "factor", .values = {"10", "100", "1000"}, .search = Search::exhaustive},
    .find = find,
};

} // namespace faultline::inject
