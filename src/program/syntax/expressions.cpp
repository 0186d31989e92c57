// Expressions.

#include "program/syntax/builder.hpp"

namespace faultline::program {

using source::Cursor;

const Syntax* SyntaxBuilder::attribute(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return named(
      node, SyntaxKind::attribute, build_field(parts, "object"), field(parts, "attribute"));
}

const Syntax* SyntaxBuilder::named(const Node& node,
                                   SyntaxKind kind,
                                   const Syntax* part,
                                   const std::optional<Node>& name)
{
  Syntax* made = with(node, kind, {part});
  made->text = name ? text_of(*name) : std::string_view();
  return part != nullptr ? made : make(node, SyntaxKind::broken);
}

const Syntax* SyntaxBuilder::subscript(const Node& node)
{
  return with_fields(node, SyntaxKind::subscript);
}

const Syntax* SyntaxBuilder::slice(const Node& node)
{
  Syntax* made = with(node, SyntaxKind::slice, {nullptr, nullptr, nullptr});
  size_t place = 0;
  Cursor cursor(node);
  for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
    if (cursor.node().kind() == ":") {
      ++place;
    } else if (cursor.node().is_named() && place < 3 && cursor.node().kind() != "comment") {
      made->children[place] = build(cursor.node());
    }
  }
  return made;
}

const Syntax* SyntaxBuilder::operation(const Node& node)
{
  const std::string_view kind = node.kind();
  Syntax* made = with_fields(node,
                             kind == "binary_operator"  ? SyntaxKind::binary
                             : kind == "unary_operator" ? SyntaxKind::unary
                                                        : SyntaxKind::augment);
  made->text = sign_of(node, m_text);
  if (made->kind == SyntaxKind::augment && !made->text.empty()) {
    made->text.remove_suffix(1);
  }
  return made->children.empty() ? make(node, SyntaxKind::broken) : made;
}

const Syntax* SyntaxBuilder::both_or_either(const Node& node)
{
  Syntax* made = with_fields(node, SyntaxKind::both);
  made->kind = sign_of(node, m_text) == "or" ? SyntaxKind::either : SyntaxKind::both;
  return made->children.size() == 2 ? made : make(node, SyntaxKind::broken);
}

const Syntax* SyntaxBuilder::comparison(const Node& node)
{
  Syntax* made = make(node, SyntaxKind::compare);
  std::string signs;
  std::string sign; // `is not` and `not in` are two tokens
  Cursor cursor(node);
  for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
    const Node child = cursor.node();
    if (child.is_named() && child.kind() != "comment" && cursor.field() != "operators") {
      if (!made->children.empty()) {
        signs += (signs.empty() ? "" : ",") + sign;
        sign.clear();
      }
      made->children.push_back(build(child));
    } else if (!child.is_named() || cursor.field() == "operators") {
      sign += (sign.empty() ? "" : " ") + std::string(text_of(child));
    }
  }
  made->text = m_file.m_strings.emplace_back(std::move(signs));
  return made->children.size() >= 2 ? made : make(node, SyntaxKind::broken);
}

const Syntax* SyntaxBuilder::pair(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return with(node, SyntaxKind::pair, {build_field(parts, "key"), build_field(parts, "value")});
}

const Syntax* SyntaxBuilder::named_value(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return named(node,
               node.kind() == "keyword_argument" ? SyntaxKind::keyword : SyntaxKind::named,
               build_field(parts, "value"),
               field(parts, "name"));
}

const Syntax* SyntaxBuilder::call(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  Syntax* made = make(node, SyntaxKind::call);
  made->children.push_back(build_field(parts, "function"));
  if (made->children[0] == nullptr) {
    return make(node, SyntaxKind::broken);
  }
  if (const std::optional<Node> list = field(parts, "arguments")) {
    if (list->kind() == "generator_expression") {
      made->children.push_back(build(*list));
    } else {
      for (const Part& part : parts_of(*list)) {
        made->children.push_back(build(part.node));
      }
    }
  }
  return made;
}

const Syntax* SyntaxBuilder::lambda(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  const std::optional<Node> list = field(parts, "parameters");
  return with(
      node,
      SyntaxKind::lambda,
      {list ? parameters(*list) : make(node, SyntaxKind::parameters), build_field(parts, "body")});
}

const Syntax* SyntaxBuilder::comprehension(const Node& node)
{
  const std::string_view kind = node.kind();
  Syntax* made = make(node,
                      kind == "list_comprehension"         ? SyntaxKind::list_comprehension
                      : kind == "set_comprehension"        ? SyntaxKind::set_comprehension
                      : kind == "dictionary_comprehension" ? SyntaxKind::dict_comprehension
                                                           : SyntaxKind::generator);
  for (const Part& part : parts_of(node)) {
    if (part.node.kind() == "for_in_clause") {
      const std::vector<Part> inner = parts_of(part.node);
      made->children.push_back(with(part.node,
                                    SyntaxKind::for_clause,
                                    {build_field(inner, "left"), build_field(inner, "right")}));
    } else {
      made->children.push_back(build(part.node));
    }
  }
  return made;
}

} // namespace faultline::program
