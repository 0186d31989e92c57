#include "source/labelled_tree.hpp"

#include "base/result.hpp"

#include <algorithm>

namespace faultline::source {

// FNV-1a: simple, the same everywhere, and 64 bits are enough for collisions never to matter here.
static uint64_t hash_of(std::string_view text)
{
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

NodeLabel make_label(std::string_view kind, std::string_view text)
{
  return {hash_of(kind), text.empty() ? 0 : hash_of(text)};
}

void LabelledTreeBuilder::open(NodeLabel label)
{
  FL_ASSERT(!m_open.empty() || m_labels.empty(), "a tree has one root");
  m_open.push_back(m_labels.size());
  m_labels.push_back(label);
  m_sizes.push_back(1);
}

void LabelledTreeBuilder::close()
{
  FL_ASSERT(!m_open.empty(), "only an open node can be closed");
  const size_t node = m_open.back();
  m_sizes[node] = m_labels.size() - node;
  m_open.pop_back();
}

LabelledTree LabelledTreeBuilder::finish() &&
{
  FL_ASSERT(m_open.empty(), "every node is closed");
  // The post-order of the mirror image is the order of opening, backwards.
  LabelledTree tree;
  tree.labels.assign(m_labels.rbegin(), m_labels.rend());
  tree.first_leaf.resize(tree.size());
  for (size_t i = 0; i < tree.size(); ++i) {
    tree.first_leaf[i] = static_cast<uint32_t>(i + 1 - m_sizes[tree.size() - 1 - i]);
  }
  // Of the nodes with the same first leaf, the last is the top of their path.
  std::vector<bool> is_known(tree.size());
  for (size_t i = tree.size(); i-- > 0;) {
    if (!is_known[tree.first_leaf[i]]) {
      is_known[tree.first_leaf[i]] = true;
      tree.keyroots.push_back(static_cast<uint32_t>(i));
    }
  }
  std::ranges::reverse(tree.keyroots);
  return tree;
}

static bool contains(std::span<const std::string_view> list, std::string_view text)
{
  return std::ranges::find(list, text) != list.end();
}

static bool is_comment(std::string_view kind)
{
  constexpr std::string_view k_comments[] = {
      "comment", "html_comment", "hash_bang_line", "line_continuation"};
  return contains(k_comments, kind);
}

// Signs that group or separate, and those that the kind of their parent implies.
static bool is_punctuation(std::string_view sign)
{
  constexpr std::string_view k_signs[] = {"(",  ")",  "()",  "[",  "]",  "[]", "[[",  "]]", "{",
                                          "}",  "${", "/>",  "</", ",",  ";",  ":",   "::", "->",
                                          "=>", ".",  "...", "`",  "\\", "\n", "\r\n"};
  // Quotes come with prefixes: `u8R"`.
  return sign.ends_with('"') || sign.ends_with('\'') || contains(k_signs, sign);
}

static bool is_word(std::string_view sign)
{
  return sign[0] == '_' || sign[0] == '#' || (sign[0] >= 'A' && sign[0] <= 'Z') ||
         (sign[0] >= 'a' && sign[0] <= 'z');
}

static bool is_word_operator(std::string_view word)
{
  constexpr std::string_view k_words[] = {
      "and", "or", "not", "in", "not in", "is", "is not", "instanceof", "xor", "bitand", "bitor"};
  return contains(k_words, word);
}

std::optional<NodeLabel> label_of(const Node& node)
{
  const std::string_view kind = node.kind();
  if (node.is_missing() || is_comment(kind) || kind == "string_start" || kind == "string_end") {
    return std::nullopt;
  }
  if (node.is_named() || node.is_error()) {
    return make_label(kind, is_token(node) ? node.text() : std::string_view());
  }
  if (kind.empty() || is_punctuation(kind)) {
    return std::nullopt;
  }
  const bool is_operator = !is_word(kind) || is_word_operator(kind);
  return is_operator ? make_label("operator", kind) : make_label(kind);
}

bool is_token(const Node& node)
{
  // The text of a Python string has nodes for its escapes, but not for the rest of it.
  return node.child_count() == 0 || node.kind() == "string_content";
}

static void add_node(LabelledTreeBuilder& builder, const Node& root)
{
  const auto enter = [&](const Node& node) {
    const std::optional<NodeLabel> label = label_of(node);
    if (!label) {
      return false;
    }
    builder.open(*label);
    if (is_token(node)) {
      builder.close();
      return false;
    }
    return true;
  };
  walk(root, enter, [&](const Node&) { builder.close(); });
}

LabelledTree labelled_tree(const Node& node)
{
  LabelledTreeBuilder builder;
  add_node(builder, node);
  return std::move(builder).finish();
}

LabelledTree labelled_tree(std::span<const Node> nodes)
{
  LabelledTreeBuilder builder;
  builder.open(root_label());
  for (const Node& node : nodes) {
    add_node(builder, node);
  }
  builder.close();
  return std::move(builder).finish();
}

NodeLabel root_label()
{
  return make_label("root");
}

} // namespace faultline::source
