// Statements.

#include "base/text.hpp"
#include "program/syntax/builder.hpp"

#include <algorithm>

namespace faultline::program {

const Syntax* SyntaxBuilder::expression(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  if (parts.size() > 1) {
    return with(node, SyntaxKind::expression, {plain(node, SyntaxKind::tuple)});
  }
  if (parts.empty()) {
    return make(node, SyntaxKind::pass_);
  }
  const Syntax* inner = build(parts.front().node);
  return is_statement(inner->kind) ? inner : with(node, SyntaxKind::expression, {inner});
}

const Syntax* SyntaxBuilder::assignment(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  const Syntax* target = build_field(parts, "left");
  const Syntax* value = build_field(parts, "right");
  if (target == nullptr) {
    return make(node, SyntaxKind::broken);
  }
  const SyntaxKind kind = value == nullptr ? SyntaxKind::annotate : SyntaxKind::assign;
  return with(node, kind, {target, value});
}

const Syntax* SyntaxBuilder::names_of_outer_scope(const Node& node)
{
  return plain(node, node.kind() == "global_statement" ? SyntaxKind::global : SyntaxKind::nonlocal);
}

const Syntax* SyntaxBuilder::import_name(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  Syntax* made = make(node, SyntaxKind::import_name);
  if (node.kind() == "aliased_import") {
    const std::optional<Node> name = field(parts, "name");
    const std::optional<Node> alias = field(parts, "alias");
    made->text = name ? text_of(*name) : std::string_view();
    made->extra = alias ? text_of(*alias) : std::string_view();
  }
  return made;
}

const Syntax* SyntaxBuilder::import(const Node& node)
{
  const std::string_view kind = node.kind();
  const std::vector<Part> parts = parts_of(node);
  Syntax* made =
      make(node, kind == "import_statement" ? SyntaxKind::import : SyntaxKind::import_from);
  made->text = {};
  for (const Part& part : parts) {
    if (part.field == "module_name") {
      std::string_view module = text_of(part.node);
      while (module.starts_with('.')) {
        ++made->level;
        module.remove_prefix(1);
      }
      made->text = trim(module);
    } else if (part.field == "name" || part.node.kind() == "wildcard_import") {
      made->children.push_back(import_name(part.node));
    }
  }
  return made;
}

const Syntax* SyntaxBuilder::else_of(const std::vector<Part>& parts)
{
  for (const Part& part : parts) {
    if (part.node.kind() == "else_clause") {
      return build_field(parts_of(part.node), "body");
    }
  }
  return nullptr;
}

const Syntax* SyntaxBuilder::if_statement(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  const Syntax* otherwise = else_of(parts);
  // `elif` chains nest from the last to the first, as deep as other code may.
  auto left = static_cast<size_t>(std::ranges::count_if(
      parts, [](const Part& part) { return part.node.kind() == "elif_clause"; }));
  const size_t most = m_max_nesting - m_depth;
  otherwise = left > most ? make(node, SyntaxKind::broken) : otherwise;
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
    if (it->node.kind() == "elif_clause" && left-- <= most) {
      const std::vector<Part> inner = parts_of(it->node);
      otherwise =
          with(it->node,
               SyntaxKind::if_,
               {build_field(inner, "condition"), build_field(inner, "consequence"), otherwise});
    }
  }
  return with(node,
              SyntaxKind::if_,
              {build_field(parts, "condition"), build_field(parts, "consequence"), otherwise});
}

const Syntax* SyntaxBuilder::for_statement(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return with(node,
              SyntaxKind::for_,
              {build_field(parts, "left"),
               build_field(parts, "right"),
               build_field(parts, "body"),
               else_of(parts)});
}

const Syntax* SyntaxBuilder::while_statement(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return with(node,
              SyntaxKind::while_,
              {build_field(parts, "condition"), build_field(parts, "body"), else_of(parts)});
}

const Syntax* SyntaxBuilder::handler(const Node& node)
{
  Syntax* made = with(node, SyntaxKind::handler, {nullptr, nullptr});
  made->text = {};
  for (const Part& part : parts_of(node)) {
    if (part.node.kind() == "block") {
      made->children[1] = build(part.node);
    } else if (part.node.kind() == "as_pattern") {
      const std::vector<Part> inner = parts_of(part.node);
      made->children[0] = inner.empty() ? nullptr : build(inner.front().node);
      made->text = inner.size() > 1 ? text_of(inner.back().node) : std::string_view();
    } else if (made->children[0] == nullptr) {
      made->children[0] = build(part.node);
    } else {
      made->text = text_of(part.node);
    }
  }
  return made;
}

const Syntax* SyntaxBuilder::try_statement(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  Syntax* made = with(node, SyntaxKind::try_, {build_field(parts, "body")});
  const Syntax* last = nullptr;
  for (const Part& part : parts) {
    if (part.node.kind().starts_with("except")) {
      made->children.push_back(handler(part.node));
      ++made->split;
    } else if (part.node.kind() == "finally_clause") {
      const std::vector<Part> inner = parts_of(part.node);
      last = inner.empty() ? nullptr : build(inner.back().node);
    }
  }
  made->children.push_back(else_of(parts));
  made->children.push_back(last);
  return made;
}

const Syntax* SyntaxBuilder::with_statement(const Node& node)
{
  Syntax* made = make(node, SyntaxKind::with);
  const Syntax* body = nullptr;
  for (const Part& part : parts_of(node)) {
    if (part.field == "body") {
      body = build(part.node);
      continue;
    }
    for (const Part& item : parts_of(part.node)) {
      const std::vector<Part> inner = parts_of(item.node);
      if (inner.empty()) {
        continue;
      }
      const Node& value = inner.front().node;
      if (value.kind() == "as_pattern") {
        const std::vector<Part> as = parts_of(value);
        const std::vector<Part> target =
            as.size() > 1 ? parts_of(as.back().node) : std::vector<Part>();
        made->children.push_back(with(item.node,
                                      SyntaxKind::with_item,
                                      {as.empty() ? nullptr : build(as.front().node),
                                       target.empty() ? nullptr : build(target.front().node)}));
      } else {
        made->children.push_back(with(item.node, SyntaxKind::with_item, {build(value), nullptr}));
      }
    }
  }
  made->children.push_back(body);
  return made;
}

const Syntax* SyntaxBuilder::match(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  Syntax* made = make(node, SyntaxKind::match_);
  std::vector<Part> cases = parts;
  if (const std::optional<Node> body = field(parts, "body")) {
    cases = parts_of(*body);
  }
  for (const Part& part : cases) {
    if (part.node.kind() == "case_clause") {
      made->children.push_back(with(
          part.node, SyntaxKind::match_case, {build_field(parts_of(part.node), "consequence")}));
    }
  }
  return made;
}

} // namespace faultline::program
