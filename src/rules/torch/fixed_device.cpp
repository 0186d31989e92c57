#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/regions.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

// The program asks somewhere whether there is a GPU.
static bool asks_for_gpu(const Program& program)
{
  return std::ranges::any_of(program.name_uses(), [](const program::NameUse& use) {
    return use.path.ends_with(".is_available") || use.path.ends_with(".device_count");
  });
}

static void check(const Program& program, Reporter& report)
{
  const bool asks = asks_for_gpu(program);
  for (const Call& call : program.calls()) {
    if (call.name == "torch.load" && asks && call.given("map_location") == nullptr &&
        call.keyword("map_location") == nullptr &&
        call.arguments.size() + call.surplus.size() >= 1) {
      report.add(call.span, "a file with tensors of a GPU cannot be loaded where there is none")
          .help("pass `map_location=device`");
    }
    const bool moves = call.is("to_device") && call.name.ends_with(".cuda") && is_module(call.self);
    if (moves && !asks && call.within(Context::Kind::branch) == nullptr &&
        call.within(Context::Kind::handler) == nullptr) {
      report.add(call.span, "the model needs a GPU, and nothing asks whether there is one")
          .help(
              "choose the device once: `device = 'cuda' if torch.cuda.is_available() else 'cpu'`");
    }
  }
}

extern const Rule fixed_device{
    .name = "fixed-device",
    .summary = "Finds programs that cannot run without a GPU",
    .applies = "torch",
    .type = "gpu-usage/wrong-reference-to-gpu-device",
    .fix_pattern = "api-contract",
    .severity = Severity::info,
    .confidence = Confidence::low,
    .status = Status::preview,
    .check = check,
};

} // namespace faultline::rules
