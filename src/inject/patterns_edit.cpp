// Edits of statements and lists that leave good Python behind.

#include "base/text.hpp"
#include "inject/patterns.hpp"

#include <algorithm>

namespace faultline::inject {

namespace {

size_t line_begin(const std::string& text, size_t byte)
{
  const size_t feed = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
  return feed == std::string::npos ? 0 : feed + 1;
}

// Behind the line feed, or the end of the text.
size_t line_end(const std::string& text, size_t byte)
{
  const size_t feed = text.find('\n', byte);
  return feed == std::string::npos ? text.size() : feed + 1;
}

std::string_view indentation(const std::string& text, const Node& statement)
{
  const size_t begin = line_begin(text, statement.begin_byte());
  return std::string_view(text).substr(begin, statement.begin_byte() - begin);
}

bool begins_line(const std::string& text, const Node& statement)
{
  return trim(indentation(text, statement)).empty();
}

bool ends_line(const std::string& text, const Node& statement)
{
  const size_t end = line_end(text, statement.end_byte());
  const std::string_view rest =
      trim(std::string_view(text).substr(statement.end_byte(), end - statement.end_byte()));
  return rest.empty() || rest.starts_with("#");
}

std::string indented(std::string_view indent, const std::vector<std::string>& lines)
{
  std::string text;
  for (const std::string& line : lines) {
    text.append(indent).append(line).append("\n");
  }
  return text;
}

} // namespace

Edit replace(const Node& node, std::string text)
{
  return {node.begin_byte(), node.end_byte(), std::move(text)};
}

Edit insert_behind(const Node& node, std::string text)
{
  return {node.end_byte(), node.end_byte(), std::move(text)};
}

Edit remove_item(const Node& item)
{
  const std::vector<Node> siblings = item.parent()->children();
  const size_t at = static_cast<size_t>(std::ranges::find(siblings, item) - siblings.begin());
  const bool comma_before = at > 0 && siblings[at - 1].kind() == ",";
  const bool comma_behind = at + 1 < siblings.size() && siblings[at + 1].kind() == ",";
  if (comma_behind && at + 2 < siblings.size() && siblings[at + 2].is_named()) {
    const Node& next = siblings[at + 2];
    const size_t end = next.kind() == "comment" ? siblings[at + 1].end_byte() : next.begin_byte();
    return {item.begin_byte(), end, ""};
  }
  if (comma_before) {
    return {siblings[at - 1].begin_byte(), item.end_byte(), ""};
  }
  return {item.begin_byte(), comma_behind ? siblings[at + 1].end_byte() : item.end_byte(), ""};
}

Edit add_argument(const Call& call, std::string_view text)
{
  std::optional<Node> last;
  for (const Node& child : call.list.named_children()) {
    if (child.kind() != "comment") {
      last = child;
    }
  }
  if (!last) {
    const size_t place = call.list.begin_byte() + 1;
    return {place, place, std::string(text)};
  }
  return insert_behind(*last, ", " + std::string(text));
}

std::optional<Node> statement_of(const Node& node, Reach reach)
{
  Node at = node;
  while (const std::optional<Node> parent = at.parent()) {
    if (parent->kind() == "block" || parent->kind() == "module") {
      return at;
    }
    const auto closed = {"lambda",
                         "list_comprehension",
                         "dictionary_comprehension",
                         "set_comprehension",
                         "generator_expression",
                         "conditional_expression"};
    const bool is_closed = std::ranges::find(closed, parent->kind()) != closed.end();
    if (reach == Reach::plain && is_closed) {
      return std::nullopt;
    }
    at = *parent;
  }
  return std::nullopt;
}

Edit remove_statement(const Code& code, const Node& statement)
{
  const std::string& text = code.text();
  const std::optional<Node> block = statement.parent();
  size_t others = 0;
  for (const Node& child : block ? block->named_children() : std::vector<Node>()) {
    others += child.kind() != "comment" && !(child == statement) ? 1U : 0U;
  }
  const bool is_needed = block && block->kind() == "block" && others == 0;
  if (is_needed || !begins_line(text, statement) || !ends_line(text, statement)) {
    return replace(statement, "pass");
  }
  return {line_begin(text, statement.begin_byte()), line_end(text, statement.end_byte()), ""};
}

std::optional<Edit>
insert_before(const Code& code, const Node& statement, const std::vector<std::string>& lines)
{
  const std::string& text = code.text();
  if (!begins_line(text, statement)) {
    return std::nullopt;
  }
  const size_t begin = line_begin(text, statement.begin_byte());
  return Edit{begin, begin, indented(indentation(text, statement), lines)};
}

std::optional<Edit>
insert_after(const Code& code, const Node& statement, const std::vector<std::string>& lines)
{
  const std::string& text = code.text();
  if (!begins_line(text, statement) || !ends_line(text, statement)) {
    return std::nullopt;
  }
  const size_t end = line_end(text, statement.end_byte());
  const std::string_view feed = end > 0 && text[end - 1] == '\n' ? "" : "\n";
  return Edit{end, end, std::string(feed) + indented(indentation(text, statement), lines)};
}

} // namespace faultline::inject
