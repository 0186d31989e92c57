#pragma once

// Turns tree-sitter's tree into the compact one. What is common is in builder.cpp, with the table
// of the kinds of nodes; each kind has a function, in the file of its family.

#include "program/syntax/syntax.hpp"
#include "source/syntax.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace faultline::program {

class SyntaxBuilder {
public:
  using Node = source::Node;

  SyntaxBuilder(SyntaxFile& file, std::string_view text, uint32_t number, size_t max_nesting)
      : m_file(file), m_text(text), m_number(number), m_max_nesting(max_nesting)
  {
  }

  const Syntax* build(const Node& node);

private:
  // A named child, and what the grammar calls it in its parent.
  struct Part {
    Node node;
    std::string_view field;
  };

  static bool is_statement(SyntaxKind kind) { return kind >= SyntaxKind::block; }

  // builder.cpp
  Syntax* make(const Node& node, SyntaxKind kind);
  std::string_view text_of(const Node& node) const;
  static std::vector<Part> parts_of(const Node& node);
  static std::optional<Node> field(const std::vector<Part>& parts, std::string_view name);
  const Syntax* build_field(const std::vector<Part>& parts, std::string_view name);
  const Syntax* plain(const Node& node, SyntaxKind kind);
  Syntax* with(const Node& node, SyntaxKind kind, std::vector<const Syntax*> children);
  // All parts that the grammar gives a name, but for the operator.
  Syntax* with_fields(const Node& node, SyntaxKind kind);
  // A token that is not a named node, such as the sign of an operator.
  static std::string_view sign_of(const Node& node, std::string_view text);
  // By the kind of the node; a kind that is not known is broken.
  const Syntax* convert(const Node& node);
  const Syntax* inner(const Node& node);
  // What could still be read inside an error counts, as statements.
  const Syntax* error(const Node& node);

  // literals.cpp
  const Syntax* number(const Node& node);
  void read_string(const Node& node, std::string& value, Syntax& made);
  const Syntax* string(const Node& node);

  // expressions.cpp
  const Syntax* attribute(const Node& node);
  // One part with the name that belongs to it.
  const Syntax*
  named(const Node& node, SyntaxKind kind, const Syntax* part, const std::optional<Node>& name);
  const Syntax* subscript(const Node& node);
  const Syntax* slice(const Node& node);
  const Syntax* operation(const Node& node);
  const Syntax* both_or_either(const Node& node);
  const Syntax* comparison(const Node& node);
  const Syntax* pair(const Node& node);
  const Syntax* named_value(const Node& node);
  const Syntax* call(const Node& node);
  const Syntax* lambda(const Node& node);
  const Syntax* comprehension(const Node& node);

  // statements.cpp
  const Syntax* expression(const Node& node);
  const Syntax* assignment(const Node& node);
  const Syntax* names_of_outer_scope(const Node& node);
  const Syntax* import_name(const Node& node);
  const Syntax* import(const Node& node);
  const Syntax* else_of(const std::vector<Part>& parts);
  const Syntax* if_statement(const Node& node);
  const Syntax* for_statement(const Node& node);
  const Syntax* while_statement(const Node& node);
  const Syntax* handler(const Node& node);
  const Syntax* try_statement(const Node& node);
  const Syntax* with_statement(const Node& node);
  const Syntax* match(const Node& node);

  // definitions.cpp
  const Syntax* parameters(const Node& node);
  const Syntax* parameter(const Node& node);
  const Syntax* definition(const Node& node, const std::vector<const Syntax*>& decorators);
  const Syntax* undecorated(const Node& node);
  const Syntax* decorated(const Node& node);

  // How a node of some kind is converted.
  using Conversion = const Syntax* (SyntaxBuilder::*)(const Node& node);
  static const std::unordered_map<std::string_view, Conversion> k_conversions;

  SyntaxFile& m_file;
  std::string_view m_text;
  uint32_t m_number;
  size_t m_max_nesting;
  size_t m_depth = 0;
};

} // namespace faultline::program
