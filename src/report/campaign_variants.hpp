#pragma once

#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"

#include <string>
#include <string_view>

namespace faultline::report {

// A table whose headers sort it. Variants in it link to where they are shown.
std::string html_table(const ReportTable& table, std::string_view heading = "h3");

// The variants that stand out, each with its diff and log, and the list of all.
std::string variant_sections(const study::CampaignAnalysis& analysis, const CampaignPage& page);

} // namespace faultline::report
