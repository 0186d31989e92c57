#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {{"in", "not in"}, {"not in", "in"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "comparison_operator", k_replacements, found);
}

extern const Operator membership_test;
const Operator membership_test{
    .name = "negate-membership-test",
    .acronym = "MemOR",
    .summary = "Swaps the membership tests in and not in",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
