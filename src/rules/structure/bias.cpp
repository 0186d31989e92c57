#include "rules/structure/bias.hpp"

#include "rules/structure/edits.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

static std::string_view parameter(const Call& layer)
{
  return layer.name.starts_with("torch") ? "bias" : "use_bias";
}

bool has_bias(const Call& layer)
{
  return bool_of(layer.setting_value(parameter(layer))) == true;
}

std::string no_bias(const Call& layer)
{
  return format("{}=False", parameter(layer));
}

void offer_no_bias(const Program& program, const Call& layer, Draft& draft)
{
  set_argument(program, constructor_of(layer), parameter(layer), "False", draft);
  draft.unsafe(format("pass `{}`", no_bias(layer)));
}

} // namespace faultline::rules
