#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"
#include "report/excerpt.hpp"

#include <algorithm>

namespace faultline::report {

namespace {

// The terminal shows the first rows of a list; CSV and the page have all.
constexpr size_t k_most_rows = 12;

std::string heading(const Painter& paint, std::string_view title)
{
  return "\n" + paint(Colour::bold, title) + "\n";
}

std::string print_table(const ReportTable& table,
                        const Painter& paint,
                        size_t width,
                        size_t most_rows = SIZE_MAX)
{
  if (table.rows.empty()) {
    return {};
  }
  std::vector<Column> columns;
  for (const TableColumn& column : table.columns) {
    if (column.shown == Shown::everywhere) {
      columns.push_back({column.header, column.align});
    }
  }
  TextTable text(columns);
  for (size_t r = 0; r < std::min(most_rows, table.rows.size()); ++r) {
    std::vector<std::string> cells;
    for (size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].shown == Shown::everywhere) {
        cells.push_back(printable(table.rows[r][c].text));
      }
    }
    text.add(std::move(cells));
  }
  std::string printed = heading(paint, table.title) + text.print(paint, width);
  if (table.rows.size() > most_rows) {
    printed += paint(Colour::dim, format("… and {} more\n", table.rows.size() - most_rows));
  }
  return printed;
}

// Shares that matter most in columns of their own, the rest in words: twelve symptoms side by side
// fit no terminal.
std::string symptoms_by(const std::vector<study::Group>& groups,
                        const study::Group& all,
                        std::string_view by,
                        const Painter& paint,
                        size_t width)
{
  using campaign::Symptom;
  TextTable table({{std::string(by)},
                   {"variants", Align::right},
                   {"ended", Align::right},
                   {"crash", Align::right},
                   {"", Align::right},
                   {"hang", Align::right},
                   {"other symptoms"}});
  const auto add = [&](const study::Group& group) {
    const study::SymptomCounts& symptoms = group.symptoms;
    std::vector<std::string> others;
    for (const Symptom symptom : campaign::all_symptoms()) {
      if (symptom != Symptom::normal && symptom != Symptom::crash && symptom != Symptom::hang &&
          symptoms.of(symptom) > 0) {
        others.push_back(format("{} {}", symptoms.of(symptom), name_of(symptom)));
      }
    }
    table.add({printable(group.label),
               std::to_string(symptoms.total),
               print_share(symptoms.ended_well_share()),
               std::to_string(symptoms.of(Symptom::crash)),
               print_share(symptoms.share(Symptom::crash)),
               std::to_string(symptoms.of(Symptom::hang)),
               join(others, ", ")});
  };
  for (const study::Group& group : groups) {
    add(group);
  }
  add(all);
  return heading(paint, format("Symptoms by {}", by)) + table.print(paint, width);
}

std::string
print_findings(const study::CampaignAnalysis& analysis, const Painter& paint, size_t width)
{
  constexpr size_t k_indent = 4;
  std::string text = heading(paint, "The nine findings of Jia et al. (SANER 2022)");
  for (const study::Finding& finding : analysis.findings) {
    const Colour colour = finding.verdict == study::Verdict::held       ? Colour::green
                          : finding.verdict == study::Verdict::not_held ? Colour::yellow
                                                                        : Colour::dim;
    const std::string verdict(name_of(finding.verdict));
    text += format("{:2}  {}", finding.number, paint(colour, verdict));
    if (finding.wording == study::Wording::not_found) {
      text += paint(Colour::dim, format(" (wording of finding {} not found)", finding.number));
    }
    const auto line = [&](std::string_view words) {
      return "\n" + std::string(k_indent, ' ') +
             wrap(printable(words), width == 0 ? 100 : width, k_indent, k_indent);
    };
    text += line(finding.statement) + line(finding.numbers) + "\n";
  }
  return text;
}

std::string print_cost(const study::CampaignAnalysis& analysis, const Painter& paint, size_t width)
{
  const study::Accounting& accounting = analysis.accounting;
  std::string text = print_table(accounting_table(analysis), paint, width);
  if (accounting.spent_seconds > 0) {
    text += format("{} of CPU time instead of {}: {:.1f} times less\n",
                   print_duration(accounting.spent_seconds),
                   print_duration(accounting.full_seconds),
                   accounting.full_seconds / accounting.spent_seconds);
  }
  return text;
}

} // namespace

std::string
campaign_text(const study::CampaignAnalysis& analysis, const Painter& paint, size_t width)
{
  const campaign::Data& data = analysis.data;
  std::string text = paint(Colour::bold, printable(data.spec.name)) + "\n";
  text +=
      format("{} of {} finished, {}; started {}{}\n",
             analysis.outcomes.size(),
             count_of(data.variants.size(), "variant"),
             count_of(data.clean.size(), "clean run"),
             printable(data.started),
             data.finished.empty() ? ", not finished yet" : ", ended " + printable(data.finished));
  if (analysis.unstable > 0) {
    text += format("{} showed different symptoms in different runs\n",
                   count_of(analysis.unstable, "variant"));
  }
  text += print_table(symptom_table(analysis), paint, width);
  text += symptoms_by(analysis.by_operator, analysis.all, "operator", paint, width);
  text += symptoms_by(analysis.by_phase, analysis.all, "phase", paint, width);
  text += symptoms_by(analysis.by_target, analysis.all, "target", paint, width);
  text += print_table(box_table(analysis, study::Quantity::metric), paint, width);
  text += print_table(box_table(analysis, study::Quantity::seconds), paint, width);
  text += print_table(tests_table(analysis), paint, width);
  text += print_table(groups_tests_table(analysis), paint, width);
  text += print_findings(analysis, paint, width);
  text += print_table(outlier_table(analysis), paint, width, k_most_rows);
  text += print_table(crash_table(analysis), paint, width, k_most_rows);
  text += print_table(taxonomy_table(analysis), paint, width);
  return text + print_cost(analysis, paint, width);
}

} // namespace faultline::report
