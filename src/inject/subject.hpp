#pragma once

#include "program/record/program.hpp"
#include "source/syntax.hpp"

#include <memory>
#include <string>

namespace faultline::inject {

// One Python file that operators look at.
struct Subject {
  std::string path;        // relative to the program's folder, or to the library's
  source::SyntaxTree tree; // its text as well
  // What the program would do, as far as it is understood; null for library files.
  std::shared_ptr<const program::Program> program;
};

} // namespace faultline::inject
