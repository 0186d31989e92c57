#include "base/format.hpp"
#include "inject/rewrites.hpp"
#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view setting, Mutations& found)
{
  const std::optional<double> share = number_of(setting);
  if (!share) {
    return;
  }
  const Code code(subject);
  for (const EpochLoop& epochs : epoch_loops_of(code)) {
    const Call* range = code.call_at(*epochs.loop.child("right"));
    std::string fewer = scaled_count(epochs.count, *share);
    if (range->arguments.size() == 2) {
      const std::string_view start = range->arguments.front().value.text();
      fewer = format("{} + max(1, round(({} - {}) * {}))",
                     start,
                     bracketed(epochs.count),
                     start,
                     python_number(*share));
    }
    if (fewer != epochs.count.text()) {
      rewrite(epochs.count, fewer, range->node, found);
    }
  }
  for (const Call& call : code.calls()) {
    const Argument* count = is_fit(code, call) ? call.find("epochs", 3) : nullptr;
    if (count != nullptr) {
      const std::string fewer = scaled_count(count->value, *share);
      if (fewer != count->value.text()) {
        rewrite(count->value, fewer, count->whole, found);
      }
    }
  }
}

extern const Operator epochs;
const Operator epochs{
    .name = "decrease-epochs",
    .acronym = "HNE",
    .summary = "Trains for fewer epochs",
    .type = "training/hyperparameters/suboptimal-number-of-epochs",
    .level = Level::dl,
    .setting = share_setting({"0.75", "0.5", "0.25", "0"}, k_share_or_none),
    .find = find,
};

} // namespace faultline::inject
