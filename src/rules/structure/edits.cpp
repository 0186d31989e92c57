#include "rules/structure/edits.hpp"

#include "base/format.hpp"
#include "rules/facts.hpp"

namespace faultline::rules {

void set_argument(const Program& program,
                  const Call& call,
                  std::string_view name,
                  std::string_view value,
                  Draft& draft)
{
  if (const program::Argument* given = call.given(name)) {
    draft.replace(given->span, std::string(value));
    return;
  }
  const std::string_view text = program.text(call.span);
  if (text.size() < 2 || text.back() != ')') {
    return;
  }
  const size_t last = text.find_last_not_of(" \t\r\n", text.size() - 2);
  const bool is_separated =
      last == std::string_view::npos || text[last] == ',' || text[last] == '(';
  Span end = last_character(call.span);
  if (last != std::string_view::npos) {
    end.begin = call.span.begin + static_cast<uint32_t>(last) + 1;
  }
  draft.insert(end, format("{}{}={}", is_separated ? "" : ", ", name, value));
}

} // namespace faultline::rules
