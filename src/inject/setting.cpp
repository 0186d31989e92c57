#include "inject/setting.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "inject/patterns.hpp"

#include <algorithm>
#include <cmath>

namespace faultline::inject {

static bool is_within(const Range& range, double value)
{
  return std::isfinite(value) && value <= range.most &&
         (range.without_least ? value > range.least : value >= range.least) &&
         (!range.whole || value == std::floor(value));
}

// "a number above 0 and at most 1"
static std::string describe(const Range& range)
{
  std::string text = range.whole ? "a whole number" : "a number";
  text += range.without_least ? format(" above {}", range.least)
                              : format(" of at least {}", range.least);
  return std::isfinite(range.most) ? text + format(" and at most {}", range.most) : text;
}

static std::string name_of(const Operator& op)
{
  return format("{} {}", op.code, op.name);
}

Result<void> check_setting(const Operator& op, std::string_view value)
{
  const Setting& setting = op.setting;
  if (setting.name.empty()) {
    return Error{ErrorKind::usage, format("{} has no setting", name_of(op))};
  }
  if (setting.range) {
    const std::optional<double> number = number_of(value);
    return number && is_within(*setting.range, *number)
               ? Result<void>()
               : Error{ErrorKind::usage,
                       format("the {} of {} is {}, not `{}`",
                              setting.name,
                              name_of(op),
                              describe(*setting.range),
                              value)};
  }
  if (std::ranges::find(setting.values, value) != setting.values.end()) {
    return {};
  }
  return Error{
      ErrorKind::usage,
      format("the {} of {} is one of {}, not `{}`",
             setting.name,
             name_of(op),
             join(std::vector<std::string>(setting.values.begin(), setting.values.end()), ", "),
             value)};
}

} // namespace faultline::inject
