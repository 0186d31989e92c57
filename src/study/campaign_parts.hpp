#pragma once

// The steps of analyse_campaign, each in a file of its own.

#include "study/campaign_analysis.hpp"

#include <span>
#include <vector>

namespace faultline::study {

// campaign_outcomes.cpp
std::vector<VariantOutcome> outcomes_of(const campaign::Data& data);
bool is_valid_metric(const campaign::Data& data, double value);
std::optional<double> first_metric(const campaign::Data& data, const campaign::Run& run);

// campaign_groups.cpp
std::optional<Box> box_of(std::span<const double> values);
// `members` are indices of analysis.outcomes.
Group group_of(const CampaignAnalysis& analysis, std::span<const size_t> members);
Group clean_group(const campaign::Data& data);
// Members of each group, in the order in which they are shown.
std::vector<std::pair<std::string, std::vector<size_t>>>
members_by(const CampaignAnalysis& analysis, Grouping grouping);
std::vector<double>
values_of(const CampaignAnalysis& analysis, std::span<const size_t> members, Quantity quantity);
std::vector<double> clean_values(const campaign::Data& data, Quantity quantity);

// campaign_tests.cpp
void add_tests(CampaignAnalysis& analysis);

// campaign_causes.cpp
std::vector<Outlier> outliers_of(const CampaignAnalysis& analysis);
std::vector<CrashGroup> crashes_of(const CampaignAnalysis& analysis);

// jia_findings.cpp
std::vector<Finding> jia_findings(const CampaignAnalysis& analysis);

} // namespace faultline::study
