#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

static void check(const Program& program, Reporter& report)
{
  constexpr std::string_view k_names[] = {"require_grad",
                                          "requires_grads",
                                          "require_grads",
                                          "required_grad",
                                          "requires_gradient",
                                          "require_gradient",
                                          "requiers_grad",
                                          "reqires_grad",
                                          "requires_garad"};
  if (!program.uses("torch")) {
    return;
  }
  for (const program::Store& store : program.stores()) {
    if (std::ranges::find(k_names, store.name) == std::end(k_names)) {
      continue;
    }
    const std::string_view target = program.text(store.span);
    Draft& draft = report.add(store.span, format("`{}` is not an attribute of tensors", store.name))
                       .label("sets an attribute that nothing reads")
                       .help("write `requires_grad`");
    if (const size_t at = target.find(store.name); at != std::string_view::npos) {
      Span name = store.span;
      name.begin += static_cast<uint32_t>(at);
      name.end = name.begin + static_cast<uint32_t>(store.name.size());
      draft.replace(name, "requires_grad").unsafe("write `requires_grad`");
    }
  }
}

extern const Rule misspelt_requires_grad{
    .name = "misspelt-requires-grad",
    .summary = "Finds assignments to require_grad and other misspellings of requires_grad",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "api-contract",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
