#pragma once

#include "source/syntax.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace faultline::source {

// What a node is, for comparing trees. Hashes rather than numbers from a table, so that trees that
// were made at different times or on different machines compare without sharing anything.
struct NodeLabel {
  uint64_t kind = 0;
  uint64_t text = 0; // 0 for a node whose kind says it all

  friend bool operator==(const NodeLabel&, const NodeLabel&) = default;
};

NodeLabel make_label(std::string_view kind, std::string_view text = {});

// An ordered tree as flat arrays, in the post-order of its mirror image: the children of a node
// from the last to the first, then the node itself; the root comes last. A distance between trees
// is that of their mirror images too, and as code nests to the right (bodies, arguments), this
// order makes it several times cheaper to compute than the usual one.
struct LabelledTree {
  std::vector<NodeLabel> labels;
  std::vector<uint32_t> first_leaf; // the leaf that comes first below each node; a leaf's is itself

  // The nodes that are not the first below their parent, and the root, in order. The distance is
  // computed once per pair of them.
  std::vector<uint32_t> keyroots;

  size_t size() const { return labels.size(); }

  friend bool operator==(const LabelledTree&, const LabelledTree&) = default;
};

class LabelledTreeBuilder {
public:
  // Begin a node; those that are opened before it is closed are its children, from left to right.
  void open(NodeLabel label);
  void close();

  // The finished tree. Every node must be closed, and one of them must hold all others.
  LabelledTree finish() &&;

private:
  std::vector<NodeLabel> m_labels; // in the order of opening
  std::vector<size_t> m_sizes;     // of the subtrees
  std::vector<size_t> m_open;
};

// How a node of a syntax tree is labelled: names, literals and operators by kind and text, all else
// by kind. Comments, punctuation and quotes have no label; what they hold is left out with them.
std::optional<NodeLabel> label_of(const Node& node);

// What is inside this node has no part in the tree: it is a token, or the text of a string.
bool is_token(const Node& node);

LabelledTree labelled_tree(const Node& node);

// The trees of `nodes`, in their order, as children of a root that stands for no code.
LabelledTree labelled_tree(std::span<const Node> nodes);

// The label of that root.
NodeLabel root_label();

} // namespace faultline::source
