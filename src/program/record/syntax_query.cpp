#include "program/record/syntax_query.hpp"

#include "program/record/program.hpp"

namespace faultline::program {

bool is(const Syntax* node, SyntaxKind kind)
{
  return node != nullptr && node->kind == kind;
}

bool is_name(const Syntax* node, std::string_view name)
{
  return is(node, SyntaxKind::name) && node->text == name;
}

std::string_view called_name(const Syntax* node)
{
  const Syntax* callee = is(node, SyntaxKind::call) ? node->child(0) : nullptr;
  const bool is_named = is(callee, SyntaxKind::name) || is(callee, SyntaxKind::attribute);
  return is_named ? callee->text : std::string_view();
}

const Syntax* assigned_in(const Syntax* block, std::string_view name)
{
  for (size_t i = 0; block != nullptr && i < block->children.size(); ++i) {
    const Syntax* statement = block->child(i);
    if (is(statement, SyntaxKind::assign) && is_name(statement->child(0), name)) {
      return statement->child(1);
    }
  }
  return nullptr;
}

const Syntax* find_syntax(const Syntax* node, const std::function<bool(const Syntax&)>& test)
{
  if (node == nullptr || test(*node)) {
    return node;
  }
  for (const Syntax* child : node->children) {
    if (const Syntax* found = find_syntax(child, test)) {
      return found;
    }
  }
  return nullptr;
}

bool contains(const Syntax* node, const std::function<bool(const Syntax&)>& test)
{
  return find_syntax(node, test) != nullptr;
}

bool mentions(const Syntax* node, std::string_view name)
{
  return contains(node, [name](const Syntax& inner) { return is_name(&inner, name); });
}

void for_each_syntax(const Syntax* node, const std::function<void(const Syntax&)>& visit)
{
  if (node == nullptr) {
    return;
  }
  visit(*node);
  for (const Syntax* child : node->children) {
    for_each_syntax(child, visit);
  }
}

// An imported file has no syntax unless one of its names is used.
template <typename Visit> static void for_each_root(const Program& program, const Visit& visit)
{
  for (const auto& unit : program.units()) {
    if (unit->syntax != nullptr) {
      visit(unit->syntax->root());
    }
  }
}

void for_each_syntax(const Program& program, const std::function<void(const Syntax&)>& visit)
{
  for_each_root(program, [&visit](const Syntax& root) { for_each_syntax(&root, visit); });
}

static void visit_in_function(const Syntax* node,
                              const Syntax& function,
                              const std::function<void(const Syntax&, const Syntax&)>& visit)
{
  if (node == nullptr) {
    return;
  }
  visit(*node, function);
  const Syntax& around = node->kind == SyntaxKind::function ? *node : function;
  for (const Syntax* child : node->children) {
    visit_in_function(child, around, visit);
  }
}

void for_each_syntax(const Program& program,
                     const std::function<void(const Syntax& node, const Syntax& function)>& visit)
{
  for_each_root(program, [&visit](const Syntax& root) { visit_in_function(&root, root, visit); });
}

} // namespace faultline::program
