#pragma once

// One operator is one file: where a program can be broken in one particular way, and how.

#include "inject/subject.hpp"
#include "source/edit.hpp"
#include "source/label.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::inject {

enum class Level {
  source,  // any Python: the eight operators of the study
  dl,      // what makes a DL program: data, layers, loss, optimizer, training loop
  weights, // a trained model's saved weights
};

std::string_view name_of(Level level);

// How the weakest setting that a test still notices is looked for.
enum class Search { none, exhaustive, binary };

// The numbers that a setting may be.
struct Range {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false; // `least` itself is outside
  bool whole = false;
};

inline constexpr Range k_share{0, 1, true, false}; // something, up to all
inline constexpr Range k_share_or_none{0, 1, false, false};
inline constexpr Range k_above_zero{.without_least = true};
inline constexpr Range k_zero_or_more{};
inline constexpr Range k_count{.least = 1, .whole = true};
inline constexpr Range k_count_or_none{.whole = true};

// What an operator makes: a type of the taxonomy, an inner node where no leaf says it; empty if
// none fits.
class OperatorType {
public:
  constexpr OperatorType() = default;
  // Implicit, so that a type is written as a string.
  consteval OperatorType(const char* id) : m_id(source::FaultNode(id).id()) {}

  constexpr std::string_view id() const { return m_id; }

private:
  std::string_view m_id;
};

// What an operator can be set to. Numbers or words, from the least to the most aggressive.
struct Setting {
  std::string_view name;                     // "share"
  std::vector<std::string_view> values = {}; // what `inject` makes unless told otherwise
  Search search = Search::none;
  double precision = 0;            // of a binary search between the first and the last value
  std::optional<Range> range = {}; // of numbers; words are those of `values`
};

// A share of something: the least that is noticed is looked for by halving.
inline Setting share_setting(std::vector<std::string_view> values, Range range = k_share)
{
  return {.name = "share",
          .values = std::move(values),
          .search = Search::binary,
          .precision = 0.05,
          .range = range};
}

// One way to change one place.
struct Mutation {
  std::vector<source::Edit> edits; // of the subject's text
  std::string before;              // what was there and what is there now, in a few characters
  std::string after;
};

// Collects what an operator finds in one file.
using Mutations = std::vector<Mutation>;

struct Operator {
  std::string_view code = {}; // set by the registry, from operators.inc: "MU003"
  std::string_view name;      // kebab-case, verb and object: "remove-zero-grad"
  std::string_view acronym;   // as published: "ComOR", "DR", "TCL"; empty if it is ours
  std::string_view summary;   // "Replaces …", one sentence
  OperatorType type = {};
  Level level = Level::dl;
  Setting setting = {};
  // What a program must have to be changed, for who wonders why nothing was found: "a call of …".
  std::string_view looks_for = {};
  // Source and DL level: what can be changed in `subject` with this setting ("" if it has none).
  void (*find)(const Subject& subject, std::string_view setting, Mutations& found) = nullptr;
};

// All operators, sorted by code.
std::span<const Operator* const> all_operators();
const Operator* find_operator(std::string_view code_or_name_or_acronym);
std::string_view documentation_of(const Operator& op); // its .md

} // namespace faultline::inject
