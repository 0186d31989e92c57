#pragma once

// The versions of libraries that a program is written for, as far as its dependency files tell.

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::program {

struct Version {
  std::array<int, 3> parts = {};

  static std::optional<Version> parse(std::string_view text); // "2.11", "1.13.1+cpu"
  std::string text() const;                                   // "2.11", "1.13.1"
  friend auto operator<=>(const Version&, const Version&) = default;
};

// The lowest version that each requirement allows: `tensorflow==1.12`, `torch>=1.7`,
// `- tensorflow-gpu=2.1`. Names are given as the module that is imported. What is not understood is
// left out.
std::map<std::string, Version> parse_requirements(std::string_view text);

} // namespace faultline::program
