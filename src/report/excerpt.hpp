#pragma once

#include "base/terminal.hpp"
#include "source/file_set.hpp"

#include <string>

namespace faultline::report {

// The lines of a place with their numbers and carets under it, as compilers print them:
//
//    |
// 41 |         loss = F.cross_entropy(model(images), labels)
//    |                                ^^^^^^^^^^^^^ label
//    |
//
// One line of context before and behind, `gutter` columns for the numbers (see gutter_of). Empty if
// the file is not in `files`.
struct ExcerptStyle {
  Painter paint;
  Colour mark = Colour::red; // of the carets and the label
  size_t gutter = 1;
};

std::string excerpt(const source::Place& place,
                    const std::string& label,
                    const source::FileSet& files,
                    const ExcerptStyle& style);

// Columns that the line numbers around `place` need.
size_t gutter_of(const source::Place& place);

// One line of any text, safe to print: control characters and bytes that are no text are replaced.
std::string printable(std::string_view text);

} // namespace faultline::report
