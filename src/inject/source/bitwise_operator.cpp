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
    .summary =
        "Replaces a bitwise operator: & and | by each other, ^ by &, << and >> by each other",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
