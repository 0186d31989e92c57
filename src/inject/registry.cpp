#include "inject/operator.hpp"

#include <algorithm>
#include <array>

namespace faultline::source {

// Types of operators are looked up when they are compiled. Clang 14 leaves the calls in the object
// code all the same, so the function that a wrong label names has to be there, though none reaches
// it.
template <typename Scheme> void Label<Scheme>::no_such_label_in_the_taxonomy() {}
template void Label<FaultNodes>::no_such_label_in_the_taxonomy();

} // namespace faultline::source

namespace faultline::inject {

#define FL_OPERATOR(code, group, file) extern const Operator file;
#include "inject/operators.inc"
#undef FL_OPERATOR

// Pages in the order of operators.inc; made from the .md files by the build.
extern const std::string_view k_pages[];

static Operator with_code(const Operator& op, std::string_view code)
{
  Operator made = op;
  made.code = code;
  return made;
}

static const auto& entries()
{
  static const auto k_entries = std::to_array<Operator>({
#define FL_OPERATOR(code, group, file) with_code(file, #code),
#include "inject/operators.inc"
#undef FL_OPERATOR
  });
  return k_entries;
}

std::string_view name_of(Level level)
{
  switch (level) {
  case Level::source:
    return "source";
  case Level::dl:
    return "dl";
  case Level::weights:
    return "weights";
  }
  return {};
}

std::span<const Operator* const> all_operators()
{
  static const std::vector<const Operator*> k_operators = [] {
    std::vector<const Operator*> operators;
    for (const Operator& op : entries()) {
      operators.push_back(&op);
    }
    return operators;
  }();
  return k_operators;
}

const Operator* find_operator(std::string_view code_or_name_or_acronym)
{
  const auto found = std::ranges::find_if(entries(), [&](const Operator& op) {
    return op.code == code_or_name_or_acronym || op.name == code_or_name_or_acronym ||
           (!op.acronym.empty() && op.acronym == code_or_name_or_acronym);
  });
  return found == entries().end() ? nullptr : &*found;
}

std::string_view documentation_of(const Operator& op)
{
  const auto found = std::ranges::find(entries(), op.code, &Operator::code);
  return found == entries().end() ? std::string_view()
                                  : k_pages[static_cast<size_t>(found - entries().begin())];
}

} // namespace faultline::inject
