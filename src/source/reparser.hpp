#pragma once

#include "source/syntax.hpp"

#include <memory>
#include <string>

namespace faultline::source {

// Parses changed versions of one text again and again. What did not change is not parsed again, so
// that a small change of a large file takes well under a millisecond.
class Reparser {
public:
  Reparser(std::string text, Language language);

  // Whether `changed`, which is the text but that the bytes of `old_range` were replaced and now
  // end at `new_end`, has an error anywhere.
  bool has_error(const std::string& changed, ByteRange old_range, size_t new_end) const;

private:
  struct DeleteTree {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };

  std::string m_text;
  Language m_language;
  std::unique_ptr<TSTree, DeleteTree> m_tree;
};

} // namespace faultline::source
