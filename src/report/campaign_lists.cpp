// Tables that list: findings, outliers, crashes, leaves, variants and runs.

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/campaign_tables.hpp"

namespace faultline::report {

using study::CampaignAnalysis;

ReportTable findings_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"findings",
                    "The nine findings of Jia et al.",
                    "“How do injected bugs affect deep learning?” (SANER 2022), checked for this "
                    "campaign.",
                    {{"number", "No.", Align::right},
                     {"verdict", "Here"},
                     {"wording", "Wording"},
                     {"statement", "Finding"},
                     {"criterion", "Holds if"},
                     {"numbers", "Numbers"}},
                    {}};
  for (const study::Finding& finding : analysis.findings) {
    table.rows.push_back({count_cell(static_cast<size_t>(finding.number)),
                          {std::string(name_of(finding.verdict))},
                          {std::string(name_of(finding.wording))},
                          {finding.statement},
                          {finding.criterion},
                          {finding.numbers}});
  }
  return table;
}

ReportTable outlier_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"outliers",
                    "Outliers",
                    "Variants outside the whiskers of all variants’ box and beyond every clean "
                    "run, the farthest first.",
                    {{"quantity", "Quantity"},
                     {"variant", "Variant"},
                     {"operator", "Operator"},
                     {"phase", "Phase"},
                     {"value", "Value", Align::right},
                     {"side", "Side"},
                     {"symptom", "Symptom"},
                     {"place", "Place"},
                     {"change", "Change"}},
                    {}};
  for (const study::Outlier& outlier : analysis.outliers) {
    const study::VariantOutcome& outcome = analysis.outcomes[outlier.outcome];
    const campaign::VariantRecord& record = analysis.record_of(outcome);
    table.rows.push_back({{quantity_name(analysis, outlier.quantity)},
                          variant_cell(record.variant.id),
                          {study::operator_label(record.variant.op)},
                          {phases_text(record)},
                          value_cell(outlier.value),
                          {outlier.above ? "above" : "below"},
                          {std::string(name_of(outcome.symptom))},
                          code_cell(place_of(record.variant)),
                          code_cell(change_of(record.variant))});
  }
  return table;
}

ReportTable crash_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"crashes",
                    "Crash causes",
                    "Crashes with the same exception raised by the same statement.",
                    {{"exception", "Exception"},
                     {"variants", "Variants", Align::right},
                     {"share", "Share", Align::right},
                     {"example", "Example"},
                     {"place", "Place"},
                     {"function", "Function", Align::left, Shown::csv_only},
                     {"message", "Message", Align::left, Shown::csv_only},
                     {"statement", "Raising statement"}},
                    {}};
  for (const study::CrashGroup& group : analysis.crashes) {
    const auto& first = analysis.record_of(analysis.outcomes[group.outcomes.front()]);
    table.rows.push_back(
        {{group.exception},
         count_cell(group.outcomes.size()),
         share_cell(group.share),
         variant_cell(first.variant.id),
         code_cell(group.file.empty() ? "–" : format("{}:{}", group.file, group.line)),
         {group.function},
         {group.message},
         code_cell(group.statement)});
  }
  return table;
}

ReportTable taxonomy_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"taxonomy",
                    "Operators and the taxonomy of faults",
                    "Which fault types of the taxonomy the operators of this campaign represent. "
                    "Noticed: any symptom other than normal.",
                    {{"type", "Fault type"},
                     {"variants", "Variants", Align::right},
                     {"noticed", "Noticed", Align::right},
                     {"noticed_share", "Noticed %", Align::right},
                     {"operators", "Operators"}},
                    {}};
  for (const study::TypeCoverage& type : analysis.taxonomy) {
    table.rows.push_back({{type.type.empty() ? "none" : type.type},
                          count_cell(type.variants),
                          count_cell(type.noticed),
                          share_cell(type.variants == 0 ? 0.0
                                                        : static_cast<double>(type.noticed) /
                                                              static_cast<double>(type.variants)),
                          {join(type.operators, ", ")}});
  }
  return table;
}

ReportTable accounting_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"accounting",
                    "What the runs cost",
                    "How runs of variants were started, how their outcome is known, and CPU time "
                    "against full runs.",
                    {{"what", "What"},
                     {"kind", "Kind"},
                     {"amount", "Amount", Align::right},
                     {"share", "Share", Align::right}},
                    {}};
  const study::Accounting& accounting = analysis.accounting;
  const auto runs = static_cast<double>(analysis.data.runs.size());
  const auto add = [&](const char* what, std::string kind, Cell amount, double whole) {
    const double share = whole > 0 ? *amount.number / whole : 0;
    table.rows.push_back({{what}, {std::move(kind)}, std::move(amount), share_cell(share)});
  };
  for (const auto& [start, count] : accounting.starts) {
    add("started", std::string(name_of(start)), count_cell(count), runs);
  }
  for (const auto& [decision, count] : accounting.decisions) {
    add("known by", std::string(name_of(decision)), count_cell(count), runs);
  }
  add("CPU seconds", "full runs", value_cell(accounting.full_seconds), accounting.full_seconds);
  add("CPU seconds", "spent", value_cell(accounting.spent_seconds), accounting.full_seconds);
  return table;
}

ReportTable variant_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"variants",
                    "All variants",
                    "Every variant that was run.",
                    {{"variant", "Variant"},
                     {"operator", "Operator"},
                     {"phase", "Phase"},
                     {"library", "Library", Align::left, Shown::csv_only},
                     {"symptom", "Symptom"},
                     {"metric", analysis.metric_name(), Align::right},
                     {"metric_difference", "Difference", Align::right, Shown::csv_only},
                     {"cpu_seconds", "CPU s", Align::right},
                     {"place", "Place"},
                     {"change", "Change"}},
                    {}};
  const auto optional_cell = [](const std::optional<double>& value) {
    return value ? value_cell(*value) : Cell{"–"};
  };
  for (const study::VariantOutcome& outcome : analysis.outcomes) {
    const campaign::VariantRecord& record = analysis.record_of(outcome);
    table.rows.push_back({variant_cell(record.variant.id),
                          {study::operator_label(record.variant.op)},
                          {phases_text(record)},
                          {record.variant.library},
                          {std::string(name_of(outcome.symptom))},
                          optional_cell(outcome.metric),
                          optional_cell(outcome.metric_difference),
                          optional_cell(outcome.seconds),
                          code_cell(place_of(record.variant)),
                          code_cell(change_of(record.variant))});
  }
  return table;
}

ReportTable run_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"runs",
                    "Runs",
                    "Every run, clean ones first.",
                    {{"variant", "Variant"},
                     {"repeat", "Repeat"},
                     {"operator", "Operator"},
                     {"setting", "Setting"},
                     {"phase", "Phase"},
                     {"library", "Library"},
                     {"file", "File"},
                     {"line", "Line"},
                     {"column", "Column"},
                     {"before", "Before"},
                     {"after", "After"},
                     {"symptom", "Symptom"},
                     {"start", "Start"},
                     {"decision", "Decision"},
                     {"exception", "Exception"},
                     {"raised_at", "Raised at"},
                     {"statement", "Statement"},
                     {"seconds", "Seconds"},
                     {"cpu_seconds", "CPU seconds"},
                     {"spent_seconds", "Spent seconds"},
                     {"memory_kib", "Memory"},
                     {"checkpoints", "Checkpoints"}},
                    {}};
  for (const campaign::Metric& metric : analysis.data.spec.metrics) {
    table.columns.push_back({metric.name, metric.name});
  }
  std::map<std::string_view, const campaign::VariantRecord*> records;
  for (const campaign::VariantRecord& record : analysis.data.variants) {
    records[record.variant.id] = &record;
  }
  static const campaign::VariantRecord k_none{};
  const auto add = [&](const campaign::Run& run) {
    const auto found = records.find(run.variant);
    const bool clean = found == records.end();
    const campaign::VariantRecord& record = clean ? k_none : *found->second;
    const inject::Variant& variant = record.variant;
    const campaign::Crash crash = run.crash.value_or(campaign::Crash{});
    std::vector<Cell> row = {{run.variant},
                             {std::to_string(run.repeat)},
                             {variant.op},
                             {variant.setting},
                             {phases_text(record)},
                             {variant.library},
                             {variant.file},
                             {clean ? "" : std::to_string(variant.line)},
                             {clean ? "" : std::to_string(variant.column)},
                             {variant.before},
                             {variant.after},
                             {std::string(name_of(run.symptom))},
                             {std::string(name_of(run.start))},
                             {std::string(name_of(run.decision))},
                             {crash.exception},
                             {crash.file.empty() ? "" : format("{}:{}", crash.file, crash.line)},
                             {crash.statement},
                             value_cell(run.seconds),
                             value_cell(run.cpu_seconds),
                             value_cell(run.spent_seconds),
                             count_cell(run.memory_kib),
                             {std::to_string(run.checkpoints)}};
    for (const campaign::Metric& metric : analysis.data.spec.metrics) {
      const auto value = run.metrics.find(metric.name);
      row.push_back(value == run.metrics.end() ? Cell{} : value_cell(value->second));
    }
    table.rows.push_back(std::move(row));
  };
  for (const campaign::Run& run : analysis.data.clean) {
    add(run);
  }
  for (const campaign::Run& run : analysis.data.runs) {
    add(run);
  }
  return table;
}

} // namespace faultline::report
