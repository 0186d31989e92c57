#pragma once

// A finding is what any detector says about a program: which rule, where, why, and what to do.

#include "source/edit.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::source {

enum class Severity { info, warning, error };
enum class Confidence { low, medium, high };

std::string_view name_of(Severity severity);
std::string_view name_of(Confidence confidence);

// A range of a file as people count: lines and columns from 1, columns in characters, the end
// behind the last character. In a notebook `cell` counts the code cells from 1 and lines count
// within the cell; elsewhere it is 0.
struct Place {
  std::string file;
  size_t line = 1;
  size_t column = 1;
  size_t end_line = 1;
  size_t end_column = 1;
  size_t cell = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

struct Note {
  std::string text;
  std::optional<Place> place = std::nullopt;
};

// A safe fix cannot change what a correct program does; the others need a look.
struct Fix {
  std::string description;
  bool safe = false;
  std::map<std::string, std::vector<Edit>> edits = {}; // by file, against its text as analysed
};

struct Finding {
  std::string rule; // its code, such as DL101
  Severity severity = Severity::warning;
  Confidence confidence = Confidence::medium;
  Place place;
  std::string message;
  std::string label = {}; // what to write under the excerpt, if not the message
  std::vector<Note> notes = {};
  std::string help = {};
  std::string type = {};        // leaf of taxonomy/types.toml
  std::string fix_pattern = {}; // of taxonomy/fix_patterns.toml
  std::optional<Fix> fix = std::nullopt;
};

} // namespace faultline::source
