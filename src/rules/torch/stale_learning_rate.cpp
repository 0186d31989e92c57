#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

namespace {

// What stands behind `optimizer.defaults` on its line.
std::string_view text_behind(const Program& program, Span span)
{
  constexpr uint32_t k_enough = 40;
  const std::string_view all = program.text({span.file, span.begin, span.end + k_enough});
  const std::string_view rest = all.substr(std::min<size_t>(all.size(), span.end - span.begin));
  return rest.substr(0, rest.find('\n'));
}

bool has_schedule(const Program& program)
{
  return std::ranges::any_of(program.calls(), [](const Call& call) {
    return call.api != nullptr &&
           (call.api->role == program::Role::scheduler || call.is("scheduler_step"));
  });
}

void check(const Program& program, Reporter& report)
{
  const bool scheduled = has_schedule(program);
  for (const Call& call : program.calls()) {
    if (call.name != "torch.optim.Optimizer.defaults") {
      continue;
    }
    const std::string_view rest = text_behind(program, call.span);
    const bool is_rate = rest.starts_with("[\"lr\"]") || rest.starts_with("['lr']");
    const size_t next = rest.find_first_not_of(' ', 6);
    const bool is_set = is_rate && next != std::string_view::npos && rest[next] == '=' &&
                        !rest.substr(next).starts_with("==");
    if (is_rate && is_set) {
      report.add(call.span, "`defaults` is not where an optimizer reads its learning rate")
          .label("this changes nothing")
          .help("set it in each of `optimizer.param_groups`");
    } else if (is_rate && scheduled) {
      report.add(call.span, "`defaults` keeps the first learning rate, whatever the schedule does")
          .label("the arguments that the optimizer was made with")
          .help("read `optimizer.param_groups[0][\"lr\"]` or `scheduler.get_last_lr()`");
    }
  }
}

} // namespace

extern const Rule stale_learning_rate{
    .name = "stale-learning-rate",
    .summary = "Finds learning rates that are read or set where no schedule changes them",
    .applies = "torch",
    .type = "api/wrong-api-usage",
    .fix_pattern = "monitor",
    .severity = Severity::warning,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
