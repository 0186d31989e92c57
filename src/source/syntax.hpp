#pragma once

#include "source/language.hpp"

#include <tree_sitter/api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::source {

// Bytes `begin` up to, not including, `end` of one text.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// A place in a text, both 0-based. The column counts bytes.
struct Position {
  size_t line = 0;
  size_t column = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

// One node of a syntax tree: a view that is cheap to copy and valid as long as its SyntaxTree
// lives, wherever that is moved to.
class Node {
public:
  // The grammar's word, such as `call` or `if_statement`; for a keyword or sign, the text itself.
  std::string_view kind() const;

  // Keywords and signs are the nodes without a name.
  bool is_named() const;

  // The parser could not make sense of this text.
  bool is_error() const;

  // The parser supplied this token to go on; it has no text.
  bool is_missing() const;

  // Something in this node, or the node itself, is an error or missing.
  bool has_error() const;

  size_t begin_byte() const;
  size_t end_byte() const;
  ByteRange range() const { return {begin_byte(), end_byte()}; }
  Position begin_position() const;
  Position end_position() const;
  std::string_view text() const;

  std::optional<Node> parent() const;
  size_t child_count() const;
  std::vector<Node> children() const;
  std::vector<Node> named_children() const;

  // The child that the grammar calls `field`, such as the `function` of a call.
  std::optional<Node> child(std::string_view field) const;

  friend bool operator==(const Node& a, const Node& b) { return ts_node_eq(a.m_node, b.m_node); }

private:
  friend class Cursor;
  friend class SyntaxTree;

  Node(TSNode node, const std::string* text) : m_node(node), m_text(text) {}
  std::optional<Node> wrap(TSNode node) const;

  TSNode m_node;
  const std::string* m_text;
};

// Walks the nodes below one node without recursion, so that deeply nested code cannot overflow the
// stack. A step that is not possible returns false and leaves the cursor where it is; it never
// leaves the node that it started from.
class Cursor {
public:
  explicit Cursor(Node root);
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor();

  Node node() const;
  std::string_view field() const; // what the parent calls this node; empty if nothing
  bool to_first_child();
  bool to_next_sibling();
  bool to_parent();

private:
  TSTreeCursor m_cursor;
  const std::string* m_text;
};

// Visit `root` and all below it in the order of the text. `enter(node)` returns whether to go into
// the node; if so, `leave(node)` follows after all that is inside.
template <typename Enter, typename Leave> void walk(const Node& root, Enter enter, Leave leave)
{
  Cursor cursor(root);
  while (true) {
    if (enter(cursor.node())) {
      if (cursor.to_first_child()) {
        continue;
      }
      leave(cursor.node());
    }
    while (!cursor.to_next_sibling()) {
      if (!cursor.to_parent()) {
        return;
      }
      leave(cursor.node());
    }
  }
}

// A text and its syntax. Parsing never fails: broken code gives a tree with error nodes, and the
// rest of it is as good as ever.
class SyntaxTree {
public:
  static SyntaxTree parse(std::string text, Language language);

  Language language() const { return m_language; }
  const std::string& text() const { return *m_text; }
  Node root() const;

  // Where the code is broken, in order: the outermost error nodes, and an empty range for each
  // token that the parser supplied.
  std::vector<ByteRange> errors() const;

private:
  struct DeleteTree {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };

  SyntaxTree(std::unique_ptr<const std::string> text,
             std::unique_ptr<TSTree, DeleteTree> tree,
             Language language)
      : m_text(std::move(text)), m_tree(std::move(tree)), m_language(language)
  {
  }

  // On the heap, so that nodes may look at it while the tree is moved.
  std::unique_ptr<const std::string> m_text;
  std::unique_ptr<TSTree, DeleteTree> m_tree;
  Language m_language;
};

} // namespace faultline::source
