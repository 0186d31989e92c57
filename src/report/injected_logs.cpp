#include "report/injected_logs.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace faultline::report {

using namespace study::injected;

namespace {

std::string share(size_t part, size_t total)
{
  return total == 0 ? "" : format("{:.2f}", 100 * double(part) / double(total));
}

std::string verdict(const Difference& difference)
{
  return difference.equal ? "=" : difference.because.empty() ? "UNEXPLAINED" : difference.because;
}

std::string print_pair(const OutlierCounts& counts)
{
  return format("{}/{}", counts.below, counts.above);
}

std::string symptoms_text(const InjectedStudy& study, const Painter& paint)
{
  TextTable table({{"library"},
                   {"published", Align::right},
                   {"total", Align::right},
                   {"normal %", Align::right},
                   {"recomputed", Align::right},
                   {"total", Align::right},
                   {"normal %", Align::right},
                   {"logs alone", Align::right},
                   {"difference"}});
  for (const SymptomRow& row : study.symptoms) {
    table.add({std::string(title_of(row.library)),
               print(row.published),
               format("{}", row.published.total()),
               share(row.published.normal, row.published.total()),
               print(row.recomputed),
               format("{}", row.recomputed.total()),
               share(row.recomputed.normal, row.recomputed.total()),
               print(row.logs),
               verdict(row.difference)});
  }
  return paint(Colour::bold, "Table IV: symptoms by library") +
         " (normal/crash/hang; recomputed = logs + authors' results of application mutants)\n" +
         table.print(paint);
}

std::string operators_text(const InjectedStudy& study, const Painter& paint)
{
  TextTable table({{"library"},
                   {"operator"},
                   {"published", Align::right},
                   {"recomputed", Align::right},
                   {"lists", Align::right},
                   {"difference"}});
  const auto add = [&table](const SymptomRow& row, bool published) {
    table.add({std::string(title_of(row.library)),
               row.mutation_operator,
               published ? print(row.published) : "",
               print(row.recomputed),
               print(row.lists),
               verdict(row.difference)});
  };
  for (const SymptomRow& row : study.operators) {
    add(row, true);
  }
  for (const SymptomRow& row : study.outside) {
    add(row, false);
  }
  return paint(Colour::bold, "Table V: symptoms by operator") +
         " (normal/crash/hang; lists = normal where the authors recorded an accuracy)\n" +
         table.print(paint);
}

std::string outliers_text(const InjectedStudy& study, const Painter& paint)
{
  TextTable table({{"library"},
                   {"measure"},
                   {"published", Align::right},
                   {"recomputed", Align::right},
                   {"values", Align::right},
                   {"quartiles", Align::right},
                   {"from logs", Align::right},
                   {"difference"}});
  for (const OutlierRow& row : study.outliers) {
    table.add({std::string(title_of(row.library)),
               std::string(name_of(row.measure)),
               print_pair(row.published),
               print_pair(row.lists),
               format("{}", row.values),
               format("{:.4f} {:.4f}", row.lower_quartile, row.upper_quartile),
               print_pair(row.logs),
               verdict(row.difference)});
  }
  std::string text =
      paint(Colour::bold, "Findings 2 and 3: outliers") +
      " (below/above 1.5 interquartile ranges; recomputed from the authors' lists)\n" +
      table.print(paint) + "\n";
  text += paint(Colour::bold, "Accuracies outside 0 to 1") +
          format(": published {}, recomputed {} {}\n",
                 study.invalid_published,
                 study.invalid.size(),
                 verdict(study.invalid_difference));
  for (const InvalidAccuracy& invalid : study.invalid) {
    text += format("  {:<32} {}\n", invalid.run, invalid.accuracy);
  }
  return text;
}

size_t of_library(const CountsByLibrary& counts, Library library)
{
  const auto found = counts.find(library);
  return found == counts.end() ? 0 : found->second;
}

using NamedCounts = std::vector<std::pair<std::string, CountsByLibrary>>;

size_t total_of(const CountsByLibrary& counts)
{
  size_t total = 0;
  for (const auto& [library, count] : counts) {
    total += count;
  }
  return total;
}

// Exceptions by how often they end a run.
NamedCounts crashes_by_count(const InjectedStudy& study)
{
  NamedCounts sorted(study.crashes.begin(), study.crashes.end());
  std::ranges::stable_sort(
      sorted, [](const auto& a, const auto& b) { return total_of(a.second) > total_of(b.second); });
  return sorted;
}

std::string by_library_text(const std::string& what, const NamedCounts& rows, const Painter& paint)
{
  std::vector<Column> columns = {{what}};
  for (const Library library : k_libraries) {
    columns.push_back({std::string(title_of(library)), Align::right});
  }
  columns.push_back({"total", Align::right});
  TextTable table(columns);
  for (const auto& [name, counts] : rows) {
    std::vector<std::string> cells = {name};
    for (const Library library : k_libraries) {
      cells.push_back(format("{}", of_library(counts, library)));
    }
    cells.push_back(format("{}", total_of(counts)));
    table.add(std::move(cells));
  }
  return table.print(paint);
}

std::string agreement_text(const InjectedStudy& study, const Painter& paint)
{
  std::string text = paint(Colour::bold, "Agreement with injected_runs.csv") + "\n";
  for (const Agreement& agreement : study.agreement) {
    text += format("  {:<18} {} of {}\n", agreement.field, agreement.agreed, agreement.total);
  }
  for (const Disagreement& one : study.disagreements) {
    text += format("  {}: {} is `{}` by the log, `{}` in the file; the log ends with `{}`\n",
                   one.run,
                   one.field,
                   one.ours,
                   one.recorded,
                   one.last_line);
  }
  return text;
}

} // namespace

std::string injected_logs_text(const InjectedStudy& study, const Painter& paint)
{
  std::string text = symptoms_text(study, paint) + "\n" + operators_text(study, paint) + "\n" +
                     outliers_text(study, paint) + "\n";
  text += paint(Colour::bold, "Findings that the tables decide") + "\n";
  for (const Finding& finding : study.findings) {
    text += format("  {}  {}: {} ({})\n",
                   finding.number,
                   finding.statement,
                   finding.held ? "held" : "did not hold",
                   finding.numbers);
  }
  text +=
      "  Table VI (symptoms by phase) cannot be recomputed: the coverage data is not published\n\n";
  text += paint(Colour::bold, "Crashes by exception") + "\n" +
          by_library_text("exception", crashes_by_count(study), paint) + "\n";
  text += paint(Colour::bold, "Peculiar logs") + "\n" +
          by_library_text("logs", study.peculiar, paint) + "\n";
  text += agreement_text(study, paint) + "\n";
  const size_t open = study.unexplained();
  text += open == 0 ? "Every difference is explained.\n"
                    : format("{} unexplained.\n", count_of(open, "difference"));
  return text;
}

} // namespace faultline::report
