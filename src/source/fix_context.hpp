#pragma once

#include "base/file.hpp"
#include "source/labelled_tree.hpp"
#include "source/language.hpp"

#include <optional>

namespace faultline::source {

// A fix and its context as trees: the statements that it touches, before and after. Of a compound
// statement whose body alone is touched nothing is taken, of one whose head is touched the head.
struct FixTrees {
  LabelledTree buggy;
  LabelledTree fixed;
  Language language = Language::python;
};

// Nothing if the fix touches no code of a language that we read. Where one side has no code for a
// change of the other, the statement just before that place stands for it. A fix in several
// languages is told by the one in which it changes most lines.
std::optional<FixTrees> fix_trees(const FileTree& buggy, const FileTree& fixed);

// From 0, nothing in common, to 1, the same change of the same code; both sides count by their
// size. Fixes in different languages have nothing in common.
double fix_similarity(const FixTrees& a, const FixTrees& b);

} // namespace faultline::source
