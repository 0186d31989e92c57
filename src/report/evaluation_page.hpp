#pragma once

#include <string_view>

namespace faultline::report {

// What the page of an evaluation adds to the style of all pages, and what it does by itself.
std::string_view evaluation_page_style();
std::string_view evaluation_page_script();

} // namespace faultline::report
