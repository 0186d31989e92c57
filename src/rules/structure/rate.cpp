#include "rules/structure/rate.hpp"

#include "rules/values.hpp"

namespace faultline::rules {

bool drops_units(const Call& dropout)
{
  if (const program::Argument* kept = written_setting(dropout, {"keep_prob"})) {
    return number_of(kept->value) != 1.0;
  }
  const Ref rate = setting_of(dropout, {"rate", "p"});
  return rate == nullptr || number_of(rate) != 0.0;
}

} // namespace faultline::rules
