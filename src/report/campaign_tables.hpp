#pragma once

// The tables of a campaign's report, made once for the terminal, for CSV and for the page.

#include "report/text_table.hpp"
#include "study/campaign_analysis.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

struct Cell {
  std::string text;
  std::optional<double> number = {}; // what it stands for: for sorting, and exactly for CSV
  std::string variant = {};          // id of the variant that it speaks of
  bool code = false;                 // text of a program
};

enum class Shown { everywhere, csv_only };

struct TableColumn {
  std::string key;    // in CSV
  std::string header; // elsewhere
  Align align = Align::left;
  Shown shown = Shown::everywhere;
};

struct ReportTable {
  std::string name; // of the CSV file
  std::string title;
  std::string note; // what one sees, and how it was computed
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows;
};

ReportTable symptom_table(const study::CampaignAnalysis& analysis);
// By operator, phase or target: counts and shares of the symptoms that occur.
ReportTable group_table(const study::CampaignAnalysis& analysis,
                        const std::vector<study::Group>& groups,
                        std::string name,
                        std::string by);
// Five numbers of each group beside the clean runs.
ReportTable box_table(const study::CampaignAnalysis& analysis, study::Quantity quantity);
ReportTable tests_table(const study::CampaignAnalysis& analysis);
ReportTable groups_tests_table(const study::CampaignAnalysis& analysis);
ReportTable findings_table(const study::CampaignAnalysis& analysis);
ReportTable outlier_table(const study::CampaignAnalysis& analysis);
ReportTable crash_table(const study::CampaignAnalysis& analysis);
ReportTable taxonomy_table(const study::CampaignAnalysis& analysis);
ReportTable accounting_table(const study::CampaignAnalysis& analysis);
ReportTable variant_table(const study::CampaignAnalysis& analysis);
ReportTable run_table(const study::CampaignAnalysis& analysis);

// "0.8213", "12.46", "1832": as many decimals as help.
std::string print_value(double value);
std::string print_share(double share); // "42.1 %"
std::string capitalised(std::string text);
Cell count_cell(size_t count);
Cell value_cell(double value);
Cell share_cell(double share);
Cell chance_cell(double p);
Cell code_cell(std::string text);
Cell variant_cell(const std::string& id);

// "torch/nn/modules/conv.py:310".
std::string place_of(const inject::Variant& variant);
// "in → not in".
std::string change_of(const inject::Variant& variant);
// What the quantity is called: the first metric's name, or "CPU seconds".
std::string quantity_name(const study::CampaignAnalysis& analysis, study::Quantity quantity);
// Symptoms that at least one variant shows, in the usual order.
std::vector<campaign::Symptom> symptoms_that_occur(const study::CampaignAnalysis& analysis);

} // namespace faultline::report
