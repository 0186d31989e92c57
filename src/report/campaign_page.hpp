#pragma once

#include <string_view>

namespace faultline::report {

// The page's own style and script, which are the same for every campaign.
std::string_view campaign_page_style();
std::string_view campaign_page_script();

} // namespace faultline::report
