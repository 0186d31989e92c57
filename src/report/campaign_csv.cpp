#include "base/format.hpp"
#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"
#include "report/csv.hpp"

#include <cmath>

namespace faultline::report {

static std::string csv_of(const ReportTable& table)
{
  std::vector<std::string> fields;
  for (const TableColumn& column : table.columns) {
    fields.push_back(column.key);
  }
  std::string text = csv_line(fields);
  for (const std::vector<Cell>& row : table.rows) {
    fields.clear();
    for (const Cell& cell : row) {
      // The shortest digits that give the number back; NaN and infinities as Python writes them.
      const bool nothing = !cell.number && cell.text == "–";
      fields.push_back(cell.number ? format("{}", *cell.number) : nothing ? "" : cell.text);
    }
    text += csv_line(fields);
  }
  return text;
}

FileTree campaign_csv(const study::CampaignAnalysis& analysis)
{
  FileTree files;
  for (const ReportTable& table :
       {run_table(analysis),
        variant_table(analysis),
        symptom_table(analysis),
        group_table(analysis, analysis.by_operator, "by_operator", "operator"),
        group_table(analysis, analysis.by_phase, "by_phase", "phase"),
        group_table(analysis, analysis.by_target, "by_target", "target"),
        box_table(analysis, study::Quantity::metric),
        box_table(analysis, study::Quantity::seconds),
        tests_table(analysis),
        groups_tests_table(analysis),
        findings_table(analysis),
        outlier_table(analysis),
        crash_table(analysis),
        taxonomy_table(analysis),
        accounting_table(analysis)}) {
    files[table.name + ".csv"] = csv_of(table);
  }
  return files;
}

} // namespace faultline::report
