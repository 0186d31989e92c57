#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {
    {"+", "-"}, {"-", "+"}, {"*", "/"}, {"/", "*"}, {"%", "/"}, {"//", "/"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "binary_operator", k_replacements, found);
}

extern const Operator arithmetic_operator;
const Operator arithmetic_operator{
    .name = "replace-arithmetic-operator",
    .acronym = "ArOR",
    .summary = "Swaps an arithmetic operator: + and -, * and /; replaces % and // by /",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
