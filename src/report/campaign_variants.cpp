#include "report/campaign_variants.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/html.hpp"

#include <cmath>
#include <set>

namespace faultline::report {

using campaign::Symptom;
using study::CampaignAnalysis;

namespace {

// Enough of a log to see how it ended.
constexpr size_t k_log_bytes = 3000;
constexpr size_t k_most_sections = 500;

std::string cell_html(const Cell& cell, Align align)
{
  std::string inner = escape_html(cell.text);
  if (!cell.variant.empty()) {
    inner = format(
        "<a class=\"id\" href=\"#v-{}\"><code>{}</code></a>", escape_html(cell.variant), inner);
  } else if (cell.code) {
    inner = "<code>" + inner + "</code>";
  }
  const bool sorts = cell.number && std::isfinite(*cell.number);
  // Only long texts may break: a place or a name in two lines is hard to read.
  constexpr size_t k_long = 44;
  return format("<td{}{}>{}</td>",
                align == Align::right       ? " class=\"r\""
                : cell.text.size() > k_long ? " class=\"w\""
                                            : "",
                sorts ? format(" data-n=\"{}\"", *cell.number) : std::string(),
                inner);
}

std::string table_html(const ReportTable& table, bool rows_have_ids)
{
  std::string html = "<table class=\"sortable\"><thead><tr>";
  for (const TableColumn& column : table.columns) {
    if (column.shown != Shown::csv_only) {
      html += format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                     column.align == Align::right ? " class=\"r\"" : "",
                     escape_html(column.header));
    }
  }
  html += "</tr></thead><tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    html += rows_have_ids ? format("<tr id=\"r-{}\">", escape_html(row[0].variant)) : "<tr>";
    for (size_t c = 0; c < row.size(); ++c) {
      if (table.columns[c].shown != Shown::csv_only) {
        html += cell_html(row[c], table.columns[c].align);
      }
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table>";
}

// Lines of a unified diff, marked by what they are.
std::string diff_html(std::string_view diff)
{
  std::string html = "<pre>";
  for (const std::string_view line : split_lines(diff)) {
    const bool header = line.starts_with("---") || line.starts_with("+++") ||
                        line.starts_with("diff ") || line.starts_with("@@");
    const std::string_view css = header                  ? "at"
                                 : line.starts_with('+') ? "add"
                                 : line.starts_with('-') ? "del"
                                                         : "ctx";
    html += format("<span class=\"{}\">{}</span>", css, escape_html(line.empty() ? " " : line));
  }
  return html + "</pre>\n";
}

std::string log_html(std::string_view log)
{
  std::string html;
  if (log.size() > k_log_bytes) {
    const size_t cut = log.size() - k_log_bytes;
    const size_t line = log.find('\n', cut);
    const size_t begin = line == std::string_view::npos ? cut : line + 1;
    html =
        format("<p class=\"note\">The end of the log; {} bytes before it are left out.</p>", begin);
    log.remove_prefix(begin);
  }
  return html + "<pre>" + escape_html(log) + "</pre>\n";
}

std::string section_of(const CampaignAnalysis& analysis,
                       const study::VariantOutcome& outcome,
                       const CampaignPage& page)
{
  const campaign::VariantRecord& record = analysis.record_of(outcome);
  const inject::Variant& variant = record.variant;
  std::string html = format(
      "<details id=\"v-{0}\"><summary><code class=\"id\">{0}</code> <span class=\"tag\">{1}</span> "
      "<code>{2}</code> <span class=\"s\">{3} · {4}{5}{6}</span></summary><div>\n",
      escape_html(variant.id),
      name_of(outcome.symptom),
      escape_html(change_of(variant)),
      escape_html(study::operator_label(variant.op)),
      escape_html(place_of(variant)),
      outcome.metric
          ? escape_html(format(" · {} {}", analysis.metric_name(), print_value(*outcome.metric)))
          : std::string(),
      outcome.seconds ? format(" · {:.2f} CPU s", *outcome.seconds) : std::string());
  const VariantTexts texts = page.texts ? page.texts(record) : VariantTexts{};
  html += texts.diff.empty() ? "<p class=\"note\">The diff is not at hand.</p>\n"
                             : diff_html(texts.diff);
  html +=
      texts.log.empty() ? "<p class=\"note\">The log is not at hand.</p>\n" : log_html(texts.log);
  return html + "</div></details>\n";
}

// Outcomes that are shown in full, most telling first.
std::vector<size_t> outstanding(const CampaignAnalysis& analysis)
{
  std::vector<size_t> chosen;
  std::set<size_t> seen;
  const auto take = [&](size_t outcome) {
    if (chosen.size() < k_most_sections && seen.insert(outcome).second) {
      chosen.push_back(outcome);
    }
  };
  for (const study::CrashGroup& group : analysis.crashes) {
    take(group.outcomes.front());
  }
  for (const Symptom symptom :
       {Symptom::hang, Symptom::out_of_memory, Symptom::not_a_number, Symptom::invalid_metric}) {
    for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
      if (analysis.outcomes[i].symptom == symptom) {
        take(i);
      }
    }
  }
  for (const study::Outlier& outlier : analysis.outliers) {
    take(outlier.outcome);
  }
  for (const Symptom symptom : {Symptom::degraded, Symptom::improved}) {
    for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
      if (analysis.outcomes[i].symptom == symptom) {
        take(i);
      }
    }
  }
  return chosen;
}

} // namespace

std::string html_table(const ReportTable& table, std::string_view heading)
{
  return format(
      "<{0}>{1}</{0}>\n<p class=\"note\">{2}</p>\n<div class=\"scroll{4}\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"{1}\">{3}</div>\n",
      heading,
      escape_html(table.title),
      escape_html(table.note),
      table_html(table, false),
      table.rows.size() > 25 ? " keep" : "");
}

std::string variant_sections(const CampaignAnalysis& analysis, const CampaignPage& page)
{
  const std::vector<size_t> chosen = outstanding(analysis);
  std::string html = "<section id=\"list\"><h2>Variants</h2>\n";
  html +=
      format("<h3>In full</h3>\n<p class=\"note\">{} with diff and log: one crash of each cause, "
             "hangs, invalid metrics, outliers, and what is better or worse than the clean "
             "runs.{}</p>\n",
             count_of(chosen.size(), "variant"),
             chosen.size() == k_most_sections
                 ? format(" There are more; the page stops at {}.", k_most_sections)
                 : std::string());
  for (const size_t outcome : chosen) {
    html += section_of(analysis, analysis.outcomes[outcome], page);
  }
  const ReportTable table = variant_table(analysis);
  html += format(
      "<h3>All</h3>\n<div class=\"filter\"><label for=\"filter\">Show only</label>"
      "<input id=\"filter\" type=\"search\" placeholder=\"crash ComOR model.py\" "
      "autocomplete=\"off\"><span class=\"note\" id=\"shown\" role=\"status\">{0} of "
      "{0}</span></div>\n<div class=\"scroll keep\" id=\"variants\" data-filtered tabindex=\"0\" "
      "role=\"region\" aria-label=\"All variants\">{1}</div>\n",
      table.rows.size(),
      table_html(table, true));
  return html + "</section>\n";
}

} // namespace faultline::report
