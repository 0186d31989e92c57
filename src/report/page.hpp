#pragma once

// What all pages share: they need no other file and no network, and can be read without a script.

#include "base/json.hpp"
#include "report/campaign_report.hpp"

#include <string>
#include <string_view>

namespace faultline::report {

struct PageHead {
  std::string title;
  std::string_view style = {}; // besides that of all pages
  bool figures = false;
};

// Up to and with <body>; the policy forbids the page to load anything.
std::string page_head(const PageHead& head);

// The place of a figure of `figures` ({title, caption, spec} by name), which the script fills.
std::string figure_html(const Json& figures, const std::string& name);

// A number with its name, for a <dl class="facts">.
std::string fact_html(std::string_view name, const std::string& value, const std::string& more);

// A message as text of a page: what it has in backticks is code. Nothing else in it is markup.
std::string message_html(std::string_view text);

// The footer, `figures` and what draws them, and the end of the page.
std::string
end_of_page(std::string_view made_from, const Json& figures, const FigureScripts& scripts);

std::string_view page_style();
// Sorts tables by their heads, and filters the rows of the table in [data-filtered].
std::string_view table_script();
// Draws the figures, and opens what a link leads to.
std::string_view figure_script();

} // namespace faultline::report
