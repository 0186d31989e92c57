#include "inject/source/replace.hpp"

namespace faultline::inject {

static constexpr Replacement k_replacements[] = {{"+=", "-="},
                                                 {"+=", "="},
                                                 {"-=", "+="},
                                                 {"-=", "="},
                                                 {"*=", "/="},
                                                 {"*=", "="},
                                                 {"/=", "*="},
                                                 {"/=", "="}};

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  replace_signs(subject, "augmented_assignment", k_replacements, found);
}

extern const Operator augmented_assignment;
const Operator augmented_assignment{
    .name = "replace-augmented-assignment",
    .acronym = "AsOR",
    .summary = "Swaps an augmented assignment: += and -=, *= and /=; or replaces it by =",
    .level = Level::source,
    .find = find,
};

} // namespace faultline::inject
