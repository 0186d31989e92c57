#pragma once

// Lines of the program, from addresses on the stack and its debug information.

#include <cstdint>
#include <string>
#include <vector>

namespace faultline_watch {

// Return addresses inside the program itself (not of libraries), innermost first.
using Stack = std::vector<uintptr_t>;

struct Line {
  std::string file, function;
  int number = 0;
};

Stack program_stack();

// The lines of a stack, inlined calls included, those of headers of libraries left out; innermost
// first. Empty if the program has no debug information.
std::vector<Line> lines_of(const Stack& stack);

// As JSON. `outside_of_model`: of the line that called the model, not of one inside of its forward.
std::string site_of(const Stack& stack, bool outside_of_model = false);
std::string site_of(const Line& line);

} // namespace faultline_watch
