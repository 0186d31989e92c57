#include "rules/facts.hpp"
#include "rules/keras_facts.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

// Somebody says that the channels come first: for all layers, or for this one.
static bool channels_first(const Program& program, const Call& call)
{
  for (const std::string_view name : {"data_format", "dim_ordering"}) {
    const program::Argument* argument = call.given(name);
    if (argument == nullptr) {
      argument = call.keyword(name);
    }
    if (argument != nullptr) {
      return true; // whatever it says, the author thought of it
    }
  }
  for (const Call& other : program.calls()) {
    if (other.name.starts_with("keras.backend.") &&
        (other.name.ends_with("image_data_format") || other.name.ends_with("image_dim_ordering"))) {
      return true;
    }
  }
  return false;
}

static void check(const Program& program, Reporter& report)
{
  for (const Call& call : program.calls()) {
    if (!call.is("conv") || call.api->number != 2 || call.layer != nullptr ||
        !call.name.starts_with("keras.")) {
      continue;
    }
    const program::Argument* argument = call.given("input_shape");
    if (argument == nullptr) {
      argument = call.keyword("input_shape");
    }
    const auto* sizes =
        argument != nullptr ? program::as<program::Sequence>(argument->value) : nullptr;
    if (sizes == nullptr || sizes->open || sizes->items.size() != 3) {
      continue;
    }
    const std::optional<int64_t> first = int_of(sizes->items[0]);
    const std::optional<int64_t> last = int_of(sizes->items[2]);
    constexpr int64_t k_least_side = 8;
    if (!first || !last || (*first != 1 && *first != 3) || *last < k_least_side ||
        channels_first(program, call)) {
      continue;
    }
    report
        .add(argument->span,
             format("input shape with {} first and {} last, but the channels come last",
                    *first,
                    *last))
        .help("put the channels last, or set `data_format='channels_first'`")
        .cause(&call);
  }
}

extern const Rule channels_first_input{
    .name = "channels-first-input",
    .summary = "Finds images with the channels first in a model that wants them last",
    .applies = "keras",
    .type = "tensors-and-inputs/wrong-input/wrong-input-format/wrong-input-format",
    .fix_pattern = "data-dimension",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
