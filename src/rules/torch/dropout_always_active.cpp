#include "rules/facts.hpp"
#include "rules/modules.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  constexpr std::string_view k_active[] = {"torch.nn.functional.dropout",
                                           "torch.nn.functional.dropout1d",
                                           "torch.nn.functional.dropout2d",
                                           "torch.nn.functional.dropout3d"};
  for (const Call& call : program.calls()) {
    if (std::ranges::find(k_active, call.name) == std::end(k_active) ||
        call.given("training") != nullptr || !is_in_module(call)) {
      continue;
    }
    Draft& draft = report.add(call.span, "this dropout is active in evaluation mode, too")
                       .label("`training` is True by default")
                       .help("pass `training=self.training`, or use an `nn.Dropout` module");
    const std::string_view text = program.text(call.span);
    if (text.ends_with(')') && !text.ends_with(",)")) {
      draft.insert(last_character(call.span), ", training=self.training")
          .unsafe("follow the mode of the module");
    }
  }
}

extern const Rule dropout_always_active{
    .name = "dropout-always-active",
    .summary = "Finds F.dropout that does not follow the mode of its module",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
