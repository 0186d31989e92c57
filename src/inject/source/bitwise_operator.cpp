#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {
    {"&", "|"}, {"|", "&"}, {"^", "&"}, {"<<", ">>"}, {">>", "<<"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "binary_operator", k_replacements, found);
}

extern const Operator bitwise_operator;
const Operator bitwise_operator{
    .name = "replace-bitwise-operator",
    .acronym = "BitOR",
    .summary = "Swaps a bitwise operator: & and |, << and >>; replaces ^ by &",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
