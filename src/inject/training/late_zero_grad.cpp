#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& zero : code.calls()) {
    const std::optional<Node> moved =
        is_optimizer_call(zero, "zero_grad") ? own_statement(zero) : std::nullopt;
    if (!moved) {
      continue;
    }
    for (const Call& step : code.calls()) {
      const std::optional<Node> place =
          is_optimizer_call(step, "step") ? own_statement(step) : std::nullopt;
      if (!place || !(place->parent() == moved->parent()) ||
          place->begin_byte() < moved->begin_byte()) {
        continue;
      }
      if (const std::optional<Edit> edit =
              insert_before(code, *place, {std::string(moved->text())})) {
        found.push_back(
            mutation({remove_statement(code, *moved), *edit}, moved->text(), place->text()));
      }
      break;
    }
  }
}

extern const Operator late_zero_grad;
const Operator late_zero_grad{
    .name = "forget-before-step",
    .acronym = "",
    .summary = "Clears the gradients before they are used",
    .type = "api/wrong-api-usage",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
