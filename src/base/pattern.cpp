#include "base/pattern.hpp"

#include "base/format.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

namespace faultline {

namespace {

// What matching needs beside the pattern.
class Search {
public:
  Search(const pcre2_code* code, const PatternLimits& limits)
      : m_code(code), m_data(pcre2_match_data_create_from_pattern(code, nullptr)),
        m_context(pcre2_match_context_create(nullptr))
  {
    pcre2_set_match_limit(m_context, limits.steps);
    pcre2_set_heap_limit(m_context, limits.heap_kib);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search()
  {
    pcre2_match_data_free(m_data);
    pcre2_match_context_free(m_context);
  }

  bool next(std::string_view text, size_t from)
  {
    // PCRE2 takes no null pointer, which is what an empty view may hold.
    const char* bytes = text.empty() ? "" : text.data();
    return pcre2_match(m_code,
                       reinterpret_cast<PCRE2_SPTR>(bytes),
                       text.size(),
                       from,
                       0,
                       m_data,
                       m_context) > 0;
  }

  pcre2_match_data* data() const { return m_data; }

private:
  const pcre2_code* m_code;
  pcre2_match_data* m_data;
  pcre2_match_context* m_context;
};

} // namespace

void Pattern::Free::operator()(pcre2_real_code_8* code) const
{
  pcre2_code_free(code);
}

Result<Pattern> Pattern::compile(std::string_view expression)
{
  return compile(expression, Options{});
}

Result<Pattern> Pattern::compile(std::string_view expression, const Options& options)
{
  int number = 0;
  PCRE2_SIZE offset = 0;
  const char* bytes = expression.empty() ? "" : expression.data();
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(bytes),
                                   expression.size(),
                                   options.same_names ? PCRE2_DUPNAMES : 0,
                                   &number,
                                   &offset,
                                   nullptr);
  if (code == nullptr) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(number, message, sizeof message);
    return Error{ErrorKind::bad_data,
                 format("{} at character {}", reinterpret_cast<const char*>(message), offset + 1)};
  }
  return Pattern(code, options.limits);
}

bool Pattern::matches(std::string_view text) const
{
  return Search(m_code.get(), m_limits).next(text, 0);
}

void Pattern::find(std::string_view text, const std::function<bool(const Match&)>& on_match) const
{
  Search search(m_code.get(), m_limits);
  size_t from = 0;
  while (from <= text.size() && search.next(text, from)) {
    if (!on_match(Match(text, search.data()))) {
      return;
    }
    const PCRE2_SIZE end = pcre2_get_ovector_pointer(search.data())[1];
    // An empty match must not be found again at the same place.
    from = std::max(end, from) + (end <= from ? 1 : 0);
  }
}

size_t Pattern::groups() const
{
  uint32_t count = 0;
  pcre2_pattern_info(m_code.get(), PCRE2_INFO_CAPTURECOUNT, &count);
  return count;
}

std::vector<std::string> Pattern::group_names() const
{
  uint32_t count = 0;
  uint32_t size = 0;
  PCRE2_SPTR table = nullptr; // of entries: two bytes of number and the name
  pcre2_pattern_info(m_code.get(), PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(m_code.get(), PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(m_code.get(), PCRE2_INFO_NAMETABLE, &table);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < count; ++i) {
    names.emplace_back(reinterpret_cast<const char*>(table + size_t{i} * size + 2));
  }
  return names;
}

std::optional<std::string_view> Pattern::Match::group(size_t number) const
{
  if (number >= pcre2_get_ovector_count(m_data)) {
    return std::nullopt;
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(m_data) + 2 * number;
  // With \K in a lookahead a match may even start after its end.
  return ends[0] == PCRE2_UNSET || ends[1] < ends[0]
             ? std::nullopt
             : std::optional(m_text.substr(ends[0], ends[1] - ends[0]));
}

std::string Pattern::Match::group(const char* name) const
{
  PCRE2_UCHAR* text = nullptr;
  PCRE2_SIZE length = 0;
  // Of several groups with this name, the one that participated.
  if (pcre2_substring_get_byname(m_data, reinterpret_cast<PCRE2_SPTR>(name), &text, &length) != 0) {
    return {};
  }
  std::string value(reinterpret_cast<const char*>(text), length);
  pcre2_substring_free(text);
  return value;
}

} // namespace faultline
