#include "inject/rewrites.hpp"

namespace faultline::inject {

std::optional<Node> own_statement(const Call& call)
{
  const std::optional<Node> statement = statement_of(call.node);
  const bool is_own = statement && statement->kind() == "expression_statement" &&
                      statement->range() == call.node.range();
  return is_own ? statement : std::nullopt;
}

void rewrite(const Node& place, const std::string& text, const Node& shown, Mutations& found)
{
  found.push_back(mutation({replace(place, text)}, shown.text(), text));
}

void unwrap(const Call& call, Mutations& found)
{
  if (call.arguments.empty() || !call.arguments.front().keyword.empty() || own_statement(call)) {
    return;
  }
  const Node& value = call.arguments.front().value;
  const bool is_bare = bracketed(value) == value.text();
  found.push_back(mutation({{call.node.begin_byte(), value.begin_byte(), is_bare ? "" : "("},
                            {value.end_byte(), call.node.end_byte(), is_bare ? "" : ")"}},
                           call.node.text(),
                           value.text()));
}

void drop_method(const Call& call, Mutations& found)
{
  if (call.callee.kind() != "attribute" || own_statement(call)) {
    return;
  }
  const Node object = *call.callee.child("object");
  found.push_back(
      mutation({{object.end_byte(), call.node.end_byte(), ""}}, call.node.text(), object.text()));
}

void drop_statement(const Code& code, const Call& call, Mutations& found)
{
  if (const std::optional<Node> statement = own_statement(call)) {
    found.push_back(mutation({remove_statement(code, *statement)}, statement->text(), ""));
  }
}

} // namespace faultline::inject
