#pragma once

// One operator is one file: where a program can be broken in one particular way, and how.

#include "inject/subject.hpp"
#include "source/edit.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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

// What an operator can be set to. Numbers or words, from the least to the most aggressive.
struct Setting {
  std::string_view name;                     // "share"
  std::vector<std::string_view> values = {}; // what `inject` makes unless told otherwise
  Search search = Search::none;
  double precision = 0; // of a binary search between the first and the last value
};

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
  std::string_view leaf;      // "D02": of the table in rules/leaf.cpp; empty if none fits
  Level level = Level::dl;
  Setting setting = {};
  // Source and DL level: what can be changed in `subject` with this setting ("" if it has none).
  void (*find)(const Subject& subject, std::string_view setting, Mutations& found) = nullptr;
};

// All operators, sorted by code.
std::span<const Operator* const> all_operators();
const Operator* find_operator(std::string_view code_or_name_or_acronym);
std::string_view documentation_of(const Operator& op); // its .md

} // namespace faultline::inject
