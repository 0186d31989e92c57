#pragma once

#include "base/result.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::catalog {

// How practitioners judged a category: shares in percent.
struct Survey {
  int met = 0;                      // of all participants
  std::array<int, 3> severity = {}; // minor, major, critical
  std::array<int, 3> effort = {};   // low, medium, high
};

// One label that a fault can carry, or an inner node of a tree of labels.
struct Label {
  std::string id;
  std::string name;
  std::string definition;
  bool leaf = true;
  std::map<std::string, int> counts; // as published: how often the source of the scheme saw it
  std::optional<Survey> survey;
};

// A set of labels, read from one file of `taxonomy/`.
struct Scheme {
  std::string name; // "type", "symptom", …: the key in `[labels]`
  std::string title;
  std::string source;
  std::vector<Label> labels; // parents before children

  const Label* find(std::string_view id) const;
  std::vector<std::string> leaf_ids() const;
};

// The schemes of `[labels]`, in the order in which they are shown.
inline constexpr std::array<std::string_view, 7> k_scheme_names = {
    "type", "category", "fix_pattern", "symptom", "property", "phase", "level"};

struct Schemes {
  std::vector<Scheme> all; // in the order of k_scheme_names

  const Scheme& get(std::string_view name) const;
};

Result<Schemes> load_schemes(const std::filesystem::path& folder);

// True if `id` is `ancestor` or lies below it: "model/layers/…" below "model".
bool is_within(std::string_view id, std::string_view ancestor);

} // namespace faultline::catalog
