// Numbers and strings.

#include "base/text.hpp"
#include "program/syntax/builder.hpp"

#include <charconv>

namespace faultline::program {

static void unescape(std::string_view content, bool raw, std::string& out)
{
  for (size_t i = 0; i < content.size(); ++i) {
    if (raw || content[i] != '\\' || i + 1 == content.size()) {
      out += content[i];
      continue;
    }
    switch (content[++i]) {
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case '\n':
      break;
    case '\\':
    case '\'':
    case '"':
      out += content[i];
      break;
    default:
      out += '\\';
      out += content[i];
    }
  }
}

const Syntax* SyntaxBuilder::number(const Node& node)
{
  std::string digits = replace_all(std::string(text_of(node)), "_", "");
  if (digits.ends_with('j') || digits.ends_with('J')) {
    return make(node, SyntaxKind::imaginary);
  }
  if (digits.ends_with('l') || digits.ends_with('L')) {
    digits.pop_back();
  }
  Syntax* made = make(node, SyntaxKind::integer);
  int base = 10;
  size_t start = 0;
  if (digits.size() > 2 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    start = base == 10 ? 0 : 2;
  }
  const char* first = digits.data() + start;
  const char* last = digits.data() + digits.size();
  const auto whole = std::from_chars(first, last, made->integer, base);
  if (whole.ec == std::errc() && whole.ptr == last) {
    made->real = static_cast<double>(made->integer);
    return made;
  }
  made->kind = SyntaxKind::real;
  const auto decimal = std::from_chars(first, last, made->real);
  return decimal.ec == std::errc::invalid_argument ? make(node, SyntaxKind::broken) : made;
}

void SyntaxBuilder::read_string(const Node& node, std::string& value, Syntax& made)
{
  bool raw = false;
  for (const Part& part : parts_of(node)) {
    const std::string_view kind = part.node.kind();
    if (kind == "string") {
      read_string(part.node, value, made);
    } else if (kind == "string_start") {
      const std::string_view start = text_of(part.node);
      raw = start.find_first_of("rR") != start.npos;
      if (start.find_first_of("bB") != start.npos) {
        made.kind = SyntaxKind::bytes;
      }
    } else if (kind == "string_content") {
      unescape(text_of(part.node), raw, value);
    } else if (kind == "interpolation") {
      made.kind = SyntaxKind::template_string;
      made.children.push_back(build(part.node));
    }
  }
}

const Syntax* SyntaxBuilder::string(const Node& node)
{
  Syntax* made = make(node, SyntaxKind::string);
  std::string value;
  read_string(node, value, *made);
  made->text = m_file.m_strings.emplace_back(std::move(value));
  return made;
}

} // namespace faultline::program
