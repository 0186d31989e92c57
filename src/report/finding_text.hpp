#pragma once

#include "base/terminal.hpp"
#include "source/file_set.hpp"
#include "source/finding.hpp"

#include <string>

namespace faultline::report {

// A finding as a good compiler prints it: what, where, the lines with carets, notes and help.
std::string
finding_text(const source::Finding& finding, const source::FileSet& files, const Painter& paint);

// "train.py:41:32", "net.ipynb:cell 3:line 2:5".
std::string print_place(const source::Place& place);

} // namespace faultline::report
