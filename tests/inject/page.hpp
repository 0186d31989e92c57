#pragma once

// The page of an operator as its tests see it: each program before, and what becomes of it.

#include "base/text.hpp"
#include "inject/operator.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace faultline::inject {

struct After {
  std::string text;
  std::optional<std::string> setting; // if the page says which
};

// A block ```python before and the blocks ```python after that follow it. Either may end in
// `setting=X`: before, it is what the operator is set to; after, what the variant is set to.
struct Example {
  const Operator* op = nullptr;
  size_t number = 0;     // among the examples of its page, from 1
  size_t first_line = 0; // of the program, in the page
  std::string before;
  std::optional<std::string> setting;
  std::vector<After> after;

  friend std::ostream& operator<<(std::ostream& os, const Example& example)
  {
    return os << "example " << example.number << " of " << example.op->name;
  }
};

inline std::optional<std::string> setting_in(std::string_view fence)
{
  const std::string_view mark = "setting=";
  const size_t at = fence.find(mark);
  return at == std::string_view::npos ? std::nullopt
                                      : std::optional<std::string>(fence.substr(at + mark.size()));
}

// Blocks that are neither before nor after are left out.
inline std::vector<Example> examples_of(const Operator& op)
{
  std::vector<Example> examples;
  std::string* text = nullptr;
  bool inside = false;
  size_t number = 0;
  for (const std::string_view line : split_lines(documentation_of(op))) {
    ++number;
    if (inside && trim(line) == "```") {
      inside = false;
      text = nullptr;
    } else if (inside) {
      if (text != nullptr) {
        *text += std::string(line) + "\n";
      }
    } else if (line.starts_with("```")) {
      inside = true;
      if (line.starts_with("```python before")) {
        examples.push_back({&op, examples.size() + 1, number + 1, "", setting_in(line), {}});
        text = &examples.back().before;
      } else if (line.starts_with("```python after") && !examples.empty()) {
        examples.back().after.push_back({"", setting_in(line)});
        text = &examples.back().after.back().text;
      }
    }
  }
  return examples;
}

} // namespace faultline::inject
