// Tables of counts, boxes and tests.

#include "report/campaign_tables.hpp"

#include "base/format.hpp"

#include <cmath>

namespace faultline::report {

using campaign::Symptom;
using study::CampaignAnalysis;
using study::Group;
using study::Quantity;

ReportTable symptom_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"symptoms",
                    "Symptoms",
                    "The symptoms of the variants, the first that applies to each.",
                    {{"symptom", "Symptom"},
                     {"variants", "Variants", Align::right},
                     {"share", "Share", Align::right}},
                    {}};
  for (const Symptom symptom : campaign::all_symptoms()) {
    const study::SymptomCounts& symptoms = analysis.all.symptoms;
    table.rows.push_back({{std::string(name_of(symptom))},
                          count_cell(symptoms.of(symptom)),
                          share_cell(symptoms.share(symptom))});
  }
  return table;
}

ReportTable group_table(const CampaignAnalysis& analysis,
                        const std::vector<Group>& groups,
                        std::string name,
                        std::string by)
{
  const std::vector<Symptom> symptoms = symptoms_that_occur(analysis);
  ReportTable table{
      std::move(name),
      format("Symptoms by {}", by),
      "“Ended” counts variants that ran to the end without an error, whatever the metric.",
      {{"key", "Key", Align::left, Shown::csv_only},
       {"label", capitalised(by)},
       {"title", "Name", Align::left, Shown::csv_only},
       {"variants", "Variants", Align::right},
       {"ended", "Ended", Align::right},
       {"ended_share", "Ended %", Align::right, Shown::csv_only}},
      {}};
  for (const Symptom symptom : symptoms) {
    const std::string key(name_of(symptom));
    table.columns.push_back({key, key, Align::right});
    table.columns.push_back({key + "_share", key, Align::right, Shown::csv_only});
  }
  const auto add = [&](const Group& group) {
    std::vector<Cell> row = {{group.key},
                             {group.label},
                             {group.title},
                             count_cell(group.symptoms.total),
                             {format("{} ({})",
                                     group.symptoms.ended_well(),
                                     print_share(group.symptoms.ended_well_share())),
                              static_cast<double>(group.symptoms.ended_well())},
                             share_cell(group.symptoms.ended_well_share())};
    for (const Symptom symptom : symptoms) {
      const size_t count = group.symptoms.of(symptom);
      const double share = group.symptoms.share(symptom);
      row.push_back({count == 0 ? "·" : format("{} ({})", count, print_share(share)),
                     static_cast<double>(count)});
      row.push_back(share_cell(share));
    }
    table.rows.push_back(std::move(row));
  };
  for (const Group& group : groups) {
    add(group);
  }
  add(analysis.all);
  return table;
}

ReportTable box_table(const CampaignAnalysis& analysis, Quantity quantity)
{
  const bool of_metric = quantity == Quantity::metric;
  ReportTable table{
      of_metric ? "metric_boxes" : "time_boxes",
      format("{} in five numbers", capitalised(quantity_name(analysis, quantity))),
      format("Variants that ran to the end{}, beside the clean runs. Outliers lie farther from "
             "the box than one and a half times its height.{}",
             of_metric ? " with a valid value" : "",
             of_metric ? " “As clean” counts variants whose value is exactly that of the clean run "
                         "with the same seed."
                       : ""),
      {{"grouping", "By"},
       {"key", "Key", Align::left, Shown::csv_only},
       {"label", "Group"},
       {"count", "n", Align::right},
       {"minimum", "Min", Align::right},
       {"lower_quartile", "Q1", Align::right},
       {"median", "Median", Align::right},
       {"upper_quartile", "Q3", Align::right},
       {"maximum", "Max", Align::right},
       {"mean", "Mean", Align::right},
       {"outliers_below", "Below", Align::right},
       {"outliers_above", "Above", Align::right}},
      {}};
  if (of_metric) {
    table.columns.push_back({"as_clean", "As clean", Align::right});
  }
  const auto add = [&](const std::string& by, const Group& group) {
    const std::optional<study::Box>& box = of_metric ? group.metric : group.seconds;
    if (!box) {
      return;
    }
    std::vector<Cell> row = {{by},
                             {group.key},
                             {group.label},
                             count_cell(box->count),
                             value_cell(box->minimum),
                             value_cell(box->lower_quartile),
                             value_cell(box->median),
                             value_cell(box->upper_quartile),
                             value_cell(box->maximum),
                             value_cell(box->mean),
                             count_cell(box->outliers_below),
                             count_cell(box->outliers_above)};
    if (of_metric) {
      row.push_back(group.comparable > 0 ? count_cell(group.unchanged) : Cell{"–"});
    }
    table.rows.push_back(std::move(row));
  };
  add("–", analysis.clean);
  add("–", analysis.all);
  for (const Group& group : analysis.by_operator) {
    add("operator", group);
  }
  for (const Group& group : analysis.by_phase) {
    add("phase", group);
  }
  for (const Group& group : analysis.by_target) {
    add("target", group);
  }
  return table;
}

ReportTable tests_table(const CampaignAnalysis& analysis)
{
  ReportTable table{
      "tests",
      "Compared with the clean runs",
      "Two-tailed tests of variants that ran to the end. Adjusted: Benjamini and "
      "Hochberg, over the operators or the phases. The effect of the seed is removed: a "
      "variant counts with its difference to the clean run of its own seed, added to "
      "the clean mean.",
      {{"quantity", "Quantity"},
       {"grouping", "By"},
       {"key", "Key", Align::left, Shown::csv_only},
       {"label", "Group"},
       {"count", "n", Align::right},
       {"mean", "Mean", Align::right},
       {"clean_mean", "Clean", Align::right},
       {"t", "Welch t", Align::right},
       {"p", "p", Align::right},
       {"adjusted_p", "adj. p", Align::right},
       {"u", "U", Align::right, Shown::csv_only},
       {"u_p", "U: p", Align::right, Shown::csv_only},
       {"u_adjusted_p", "U: adj. p", Align::right},
       {"cohens_d", "d", Align::right},
       {"a12", "A12", Align::right},
       {"significant", "Differs"}},
      {}};
  const auto effect = [](double value) {
    return Cell{std::isfinite(value) ? format("{}{:.2f}", value < 0 ? "−" : "", std::abs(value))
                                     : print_value(value),
                value};
  };
  for (const study::DifferenceTest& test : analysis.tests) {
    table.rows.push_back({{quantity_name(analysis, test.quantity)},
                          {std::string(name_of(test.grouping))},
                          {test.key},
                          {test.label},
                          count_cell(test.count),
                          value_cell(test.mean),
                          value_cell(test.clean_mean),
                          effect(test.t),
                          chance_cell(test.p),
                          chance_cell(test.adjusted_p),
                          value_cell(test.u),
                          chance_cell(test.u_p),
                          chance_cell(test.u_adjusted_p),
                          effect(test.cohens_d),
                          effect(test.a12),
                          {test.significant() ? "yes" : "no"}});
  }
  return table;
}

ReportTable groups_tests_table(const CampaignAnalysis& analysis)
{
  ReportTable table{"groups_tests",
                    "Compared with each other",
                    "One-way analysis of variance of the groups’ values; χ² of how many of each "
                    "group ran to the end.",
                    {{"quantity", "Quantity"},
                     {"grouping", "Among"},
                     {"test", "Test"},
                     {"groups", "Groups", Align::right},
                     {"statistic", "Statistic", Align::right},
                     {"p", "p", Align::right},
                     {"significant", "Differ"}},
                    {}};
  const auto add = [&](std::string quantity,
                       study::Grouping grouping,
                       std::string test,
                       size_t groups,
                       double statistic,
                       double p) {
    table.rows.push_back({{std::move(quantity)},
                          {format("{}s", name_of(grouping))},
                          {std::move(test)},
                          count_cell(groups),
                          value_cell(statistic),
                          chance_cell(p),
                          {p < study::k_significance ? "yes" : "no"}});
  };
  for (const study::GroupsTest& test : analysis.groups_tests) {
    add(quantity_name(analysis, test.quantity),
        test.grouping,
        "ANOVA F",
        test.groups,
        test.f,
        test.p);
  }
  for (const study::SymptomsTest& test : analysis.symptoms_tests) {
    add("ran to the end", test.grouping, "χ²", test.groups, test.chi_squared, test.p);
  }
  return table;
}

} // namespace faultline::report
