#include "source/syntax.hpp"

#include "base/result.hpp"
#include "source/grammar.hpp"
#include "source/parse_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

extern "C" {
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_cpp();
}

namespace faultline::source {

static const TSLanguage* grammar_of(Language language)
{
  switch (language) {
  case Language::python:
    return tree_sitter_python();
  case Language::javascript:
    return tree_sitter_javascript();
  case Language::cpp:
    return tree_sitter_cpp();
  }
  FL_ASSERT(false, "every language has a grammar");
}

std::string_view Node::kind() const
{
  return ts_node_type(m_node);
}

bool Node::is_named() const
{
  return ts_node_is_named(m_node);
}

bool Node::is_error() const
{
  // The runtime reserves this one symbol for errors in every grammar.
  return ts_node_symbol(m_node) == std::numeric_limits<TSSymbol>::max();
}

bool Node::is_missing() const
{
  return ts_node_is_missing(m_node);
}

bool Node::has_error() const
{
  return ts_node_has_error(m_node);
}

size_t Node::begin_byte() const
{
  return ts_node_start_byte(m_node);
}

size_t Node::end_byte() const
{
  return ts_node_end_byte(m_node);
}

static Position position_of(TSPoint point)
{
  return {point.row, point.column};
}

Position Node::begin_position() const
{
  return position_of(ts_node_start_point(m_node));
}

Position Node::end_position() const
{
  return position_of(ts_node_end_point(m_node));
}

std::string_view Node::text() const
{
  return std::string_view(*m_text).substr(begin_byte(), end_byte() - begin_byte());
}

std::optional<Node> Node::wrap(TSNode node) const
{
  return ts_node_is_null(node) ? std::nullopt : std::optional(Node(node, m_text));
}

std::optional<Node> Node::parent() const
{
  return wrap(ts_node_parent(m_node));
}

size_t Node::child_count() const
{
  return ts_node_child_count(m_node);
}

std::vector<Node> Node::children() const
{
  // Asking for the n-th child counts from the first each time; the cursor just steps on.
  std::vector<Node> nodes;
  nodes.reserve(child_count());
  Cursor cursor(*this);
  for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
    nodes.push_back(cursor.node());
  }
  return nodes;
}

std::vector<Node> Node::named_children() const
{
  std::vector<Node> nodes = children();
  std::erase_if(nodes, [](const Node& node) { return !node.is_named(); });
  return nodes;
}

std::optional<Node> Node::child(std::string_view field) const
{
  return wrap(ts_node_child_by_field_name(
      m_node, field.data(), static_cast<uint32_t>(std::min<size_t>(field.size(), UINT32_MAX))));
}

Cursor::Cursor(Node root) : m_cursor(ts_tree_cursor_new(root.m_node)), m_text(root.m_text) {}

Cursor::~Cursor()
{
  ts_tree_cursor_delete(&m_cursor);
}

Node Cursor::node() const
{
  return Node(ts_tree_cursor_current_node(&m_cursor), m_text);
}

std::string_view Cursor::field() const
{
  const char* name = ts_tree_cursor_current_field_name(&m_cursor);
  return name != nullptr ? name : std::string_view();
}

bool Cursor::to_first_child()
{
  return ts_tree_cursor_goto_first_child(&m_cursor);
}

bool Cursor::to_next_sibling()
{
  return ts_tree_cursor_goto_next_sibling(&m_cursor);
}

bool Cursor::to_parent()
{
  return ts_tree_cursor_goto_parent(&m_cursor);
}

TSTree* parse_text(const std::string& text, Language language, const TSTree* old)
{
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      &ts_parser_delete);
  FL_ASSERT(ts_parser_set_language(parser.get(), grammar_of(language)),
            "the grammars are of the version that the runtime reads");
  // The runtime counts in 32 bits. What lies beyond four gigabytes has no nodes.
  const size_t length = std::min<size_t>(parsable_length(text, language), UINT32_MAX);
  TSTree* tree =
      ts_parser_parse_string(parser.get(), old, text.data(), static_cast<uint32_t>(length));
  FL_ASSERT(tree != nullptr, "a parser without a time limit always ends with a tree");
  return tree;
}

SyntaxTree SyntaxTree::parse(std::string text, Language language)
{
  auto kept = std::make_unique<const std::string>(std::move(text));
  std::unique_ptr<TSTree, DeleteTree> tree(parse_text(*kept, language, nullptr));
  return SyntaxTree(std::move(kept), std::move(tree), language);
}

Node SyntaxTree::root() const
{
  return Node(ts_tree_root_node(m_tree.get()), m_text.get());
}

std::vector<ByteRange> SyntaxTree::errors() const
{
  std::vector<ByteRange> ranges;
  const auto enter = [&](const Node& node) {
    if (node.is_error() || node.is_missing()) {
      ranges.push_back(node.range());
      return false;
    }
    return node.has_error();
  };
  walk(root(), enter, [](const Node&) {});
  if (const size_t length = parsable_length(*m_text, m_language); length < m_text->size()) {
    ranges.push_back({length, m_text->size()});
  }
  return ranges;
}

} // namespace faultline::source
