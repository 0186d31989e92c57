#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {{">", ">="},
                                                 {">=", ">"},
                                                 {"<", "<="},
                                                 {"<=", "<"},
                                                 {"==", "!="},
                                                 {"!=", "=="},
                                                 {"is", "is not"},
                                                 {"is not", "is"}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "comparison_operator", k_replacements, found);
}

extern const Operator comparison_operator;
const Operator comparison_operator{
    .name = "replace-comparison-operator",
    .acronym = "ComOR",
    .summary = "Swaps a comparison: > and >=, < and <=, == and !=, is and is not",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
