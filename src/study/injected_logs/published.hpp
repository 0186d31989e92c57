#pragma once

#include "base/result.hpp"
#include "study/injected_logs/log_facts.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::study::injected {

// Runs by symptom.
struct SymptomCounts {
  size_t normal = 0;
  size_t crash = 0;
  size_t hang = 0;

  size_t total() const { return normal + crash + hang; }
  void add(LogSymptom symptom);
  bool operator==(const SymptomCounts&) const = default;
};

std::string print(const SymptomCounts& counts); // "9/18/0"

enum class Measure { accuracy, time };
inline constexpr std::array k_measures = {Measure::accuracy, Measure::time};
std::string_view name_of(Measure measure);

// Values outside of the whiskers of a box plot.
struct OutlierCounts {
  size_t below = 0;
  size_t above = 0;

  bool operator==(const OutlierCounts&) const = default;
};

// The paper's operators, in the order of its table V. Four mutants have none of them ("other").
inline constexpr std::array<std::string_view, 8> k_operators = {
    "ArOR", "BitOR", "ComOR", "LogOR", "AsOR", "MemOR", "BVR", "NVR"};

struct KnownDifference {
  Library library = Library::keras;
  std::string mutation_operator;
  SymptomCounts recomputed; // it explains these counts only
  std::string because;
};

// What the paper prints, and how much of its material is published.
struct Published {
  std::map<Library, size_t> logs;
  std::map<Library, size_t> entries; // of the authors' lists
  std::map<Library, SymptomCounts> symptoms;
  std::map<Library, std::map<std::string, SymptomCounts, std::less<>>> operators;
  std::map<Library, std::map<Measure, OutlierCounts>> outliers;
  size_t invalid_accuracies = 0;
  double named_invalid_accuracy = 0; // the one that the paper gives as an example
  std::vector<KnownDifference> known;
};

Result<Published> parse_published(std::string_view toml, const std::string& file);

// The one compiled in, from published.toml.
const Published& published_study();

} // namespace faultline::study::injected
