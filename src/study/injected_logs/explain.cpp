// Explanations are checked, not asserted: each is given only where the counts bear it out.

#include "study/injected_logs/explain.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

namespace faultline::study::injected {

namespace {

struct Change {
  long normal = 0;
  long crash = 0;
  long hang = 0;

  long total() const { return normal + crash + hang; }
  bool only_more() const { return normal >= 0 && crash >= 0 && hang >= 0 && total() > 0; }
  bool only_fewer() const { return normal <= 0 && crash <= 0 && hang <= 0 && total() < 0; }
};

// What the paper has more than the counts at hand.
Change change(const SymptomCounts& published, const SymptomCounts& counted)
{
  const auto minus = [](size_t a, size_t b) { return static_cast<long>(a) - static_cast<long>(b); };
  return {minus(published.normal, counted.normal),
          minus(published.crash, counted.crash),
          minus(published.hang, counted.hang)};
}

std::string mutants(long count)
{
  return count_of(static_cast<size_t>(std::abs(count)), "mutant");
}

// "2 normal and 10 crash".
std::string print(const Change& difference)
{
  std::vector<std::string> parts;
  for (const auto& [name, count] : {std::pair{"normal", difference.normal},
                                    std::pair{"crash", difference.crash},
                                    std::pair{"hang", difference.hang}}) {
    if (count != 0) {
      parts.push_back(format("{} {}", std::abs(count), name));
    }
  }
  return join(parts, " and ");
}

// Words for mutants that only the paper has, or only the published files.
std::string other_mutants(const Change& difference, size_t without_log)
{
  const long more = difference.total();
  if (more < 0) {
    return format("{} fewer in the paper ({})", mutants(more), print(difference));
  }
  return format("{} more in the paper ({}), {}",
                mutants(more),
                print(difference),
                without_log >= static_cast<size_t>(more)
                    ? format("where {} no published log",
                             without_log == 1 ? "1 has" : format("{} have", without_log))
                    : "not published");
}

} // namespace

Difference explain_operator(const SymptomRow& row, const Published& published)
{
  if (row.published == row.recomputed) {
    return {};
  }
  const Change to_logs = change(row.published, row.recomputed);
  const Change to_lists = change(row.published, row.lists);
  const bool lists_differ = row.lists != row.recomputed;
  // Mutants that are only missing here say nothing of the paper.
  const bool may_miss = row.complete;
  if (row.published == row.lists) {
    return {
        false,
        format("the paper follows the authors' lists, where {} recorded otherwise than in the log",
               count_of(static_cast<size_t>(std::abs(to_logs.normal)), "result") +
                   (std::abs(to_logs.normal) == 1 ? " is" : " are"))};
  }
  if (may_miss && lists_differ && (to_lists.only_more() || to_lists.only_fewer())) {
    return {false,
            format("the paper follows the authors' lists ({}); {}",
                   print(row.lists),
                   other_mutants(to_lists, row.without_log))};
  }
  if (may_miss && (to_logs.only_more() || to_logs.only_fewer())) {
    return {false, other_mutants(to_logs, row.without_log)};
  }
  // The same mutants; runs that ended well but recorded no accuracy may count either way.
  if (to_logs.total() == 0 && row.lists.normal <= row.published.normal &&
      row.published.normal < row.recomputed.normal && to_logs.hang == 0) {
    return {false,
            format("of {} that ended without a recorded accuracy the paper counts {} as crash",
                   count_of(row.recomputed.normal - row.lists.normal, "run"),
                   -to_logs.normal)};
  }
  for (const KnownDifference& known : published.known) {
    if (known.library == row.library && known.mutation_operator == row.mutation_operator &&
        known.recomputed == row.recomputed) {
      return {false, known.because};
    }
  }
  return {false, ""};
}

Difference explain_library(const SymptomRow& row,
                           std::span<const SymptomRow> operators,
                           std::span<const SymptomRow> outside)
{
  if (row.published == row.recomputed) {
    return {};
  }
  Change rest = change(row.published, row.recomputed);
  std::vector<std::string> parts;
  const auto take = [&](const SymptomRow& part) {
    if (part.library != row.library || part.difference.unexplained()) {
      return;
    }
    const Change of_part = change(part.published, part.recomputed);
    rest.normal -= of_part.normal;
    rest.crash -= of_part.crash;
    rest.hang -= of_part.hang;
    if (of_part.normal != 0 || of_part.crash != 0 || of_part.hang != 0) {
      // As seen from the paper: what the recomputed table has more or fewer.
      parts.push_back(format("{} {:+}/{:+}/{:+}",
                             part.mutation_operator,
                             -of_part.normal,
                             -of_part.crash,
                             -of_part.hang));
    }
  };
  for (const SymptomRow& part : operators) {
    take(part);
  }
  for (const SymptomRow& part : outside) {
    take(part);
  }
  const bool adds_up = rest.normal == 0 && rest.crash == 0 && rest.hang == 0;
  return {false, adds_up ? "the sum of table V: " + join(parts, ", ") : ""};
}

Difference explain_outliers(const OutlierRow& row, const Published& published)
{
  if (row.published == row.lists) {
    return {};
  }
  const size_t in_paper = published.symptoms.at(row.library).normal;
  if (in_paper == row.values || !row.complete) {
    return {false, ""};
  }
  return {false,
          format("other runs, so another box: the paper has {} normal ones, the lists {} with {}",
                 in_paper,
                 row.values,
                 row.measure == Measure::accuracy ? "a valid accuracy" : "a time")};
}

} // namespace faultline::study::injected
