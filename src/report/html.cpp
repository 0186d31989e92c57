#include "report/html.hpp"

#include "base/text.hpp"

namespace faultline::report {

std::string escape_html(std::string_view text)
{
  std::string out;
  for (const char c : to_valid_utf8(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    case '\n':
    case '\t':
      out += c;
      break;
    default:
      // Control characters have no meaning in HTML; NUL is even an error.
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        out += "\xef\xbf\xbd";
      } else {
        out += c;
      }
    }
  }
  return out;
}

std::string json_for_script(const Json& value)
{
  return replace_all(print_json_compact(value), "<", "\\u003c");
}

std::string text_for_script(std::string_view script)
{
  std::string text = replace_all(std::string(script), "</script", "<\\/script");
  return replace_all(std::move(text), "<!--", "<\\!--");
}

} // namespace faultline::report
