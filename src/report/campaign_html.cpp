// The page of a campaign. Everything that comes from a program, a log or a campaign file is hostile
// text and goes through escape_html or json_for_script; the policy in the head forbids the page to
// load anything at all.

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "report/campaign_report.hpp"
#include "report/campaign_tables.hpp"
#include "report/campaign_variants.hpp"
#include "report/html.hpp"
#include "report/page.hpp"

#include <cmath>

namespace faultline::report {

using campaign::Symptom;
using study::CampaignAnalysis;

namespace {

std::string facts(const CampaignAnalysis& analysis)
{
  const study::SymptomCounts& symptoms = analysis.all.symptoms;
  const study::Accounting& cost = analysis.accounting;
  const size_t other = symptoms.ended_well() - symptoms.of(Symptom::normal);
  std::string html = "<dl class=\"facts\">\n";
  html += fact_html("Variants run",
                    std::to_string(analysis.outcomes.size()),
                    format("of {} planned", analysis.data.variants.size()));
  html += fact_html("Ended without an error",
                    print_share(symptoms.ended_well_share()),
                    count_of(symptoms.ended_well(), "variant"));
  html += fact_html("Crashed",
                    print_share(symptoms.share(Symptom::crash)),
                    format("{}, {}",
                           count_of(symptoms.of(Symptom::crash), "variant"),
                           count_of(analysis.crashes.size(), "cause")));
  html += fact_html("Without any symptom",
                    print_share(symptoms.share(Symptom::normal)),
                    format("{} ended, but with a symptom", other));
  if (analysis.clean.metric) {
    html += fact_html(format("Clean {}", analysis.metric_name()),
                      print_value(analysis.clean.metric->median),
                      format("median of {}", count_of(analysis.clean.metric->count, "run")));
  }
  if (cost.spent_seconds > 0) {
    html += fact_html("CPU time spent",
                      print_duration(cost.spent_seconds),
                      format("full runs: {}, {:.1f} times as much",
                             print_duration(cost.full_seconds),
                             cost.full_seconds / cost.spent_seconds));
  }
  return html + "</dl>\n";
}

std::string findings(const CampaignAnalysis& analysis)
{
  std::string html =
      "<section id=\"findings\"><h2>The nine findings, again</h2>\n<p class=\"note\">“How do "
      "injected bugs affect deep learning?” (Jia et al., SANER 2022) states nine findings. Each is "
      "checked for this campaign, in our words.</p>\n<ol class=\"findings\">\n";
  for (const study::Finding& finding : analysis.findings) {
    const std::string_view css = finding.verdict == study::Verdict::held       ? "held"
                                 : finding.verdict == study::Verdict::not_held ? "not_held"
                                                                               : "undecided";
    html += format(
        "<li><span class=\"no\">{}</span><span class=\"verdict {}\">{}</span>"
        "<div class=\"text\"><p>{}</p><p class=\"numbers\">{}</p>"
        "<p class=\"note\">Held if: {}.{}</p></div></li>\n",
        finding.number,
        css,
        name_of(finding.verdict),
        escape_html(finding.statement),
        escape_html(finding.numbers),
        escape_html(finding.criterion),
        finding.wording == study::Wording::not_found
            ? format(" <span class=\"tag\">wording of finding {} not found</span>", finding.number)
        : finding.wording == study::Wording::in_part
            ? std::string(" <span class=\"tag\">wording known in part</span>")
            : std::string());
  }
  return html + "</ol></section>\n";
}

std::string head(const CampaignAnalysis& analysis)
{
  return page_head({.title = analysis.data.spec.name + " – injection campaign", .figures = true}) +
         "<a class=\"skip\" href=\"#findings\">To the findings</a>\n";
}

std::string navigation()
{
  std::string html = "<nav aria-label=\"Sections\"><ul>\n";
  for (const auto& [id, title] : {std::pair("findings", "Findings"),
                                  std::pair("symptoms", "Symptoms"),
                                  std::pair("values", "Metric and time"),
                                  std::pair("tests", "Tests"),
                                  std::pair("outliers", "Outliers"),
                                  std::pair("crashes", "Crashes"),
                                  std::pair("taxonomy", "Taxonomy"),
                                  std::pair("made", "How it was made"),
                                  std::pair("list", "Variants")}) {
    html += format("<li><a href=\"#{}\">{}</a></li>\n", id, title);
  }
  return html + "</ul></nav>\n";
}

std::string definition(std::string_view name, std::string_view value)
{
  return value.empty() ? std::string()
                       : format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(value));
}

std::string how_it_was_made(const CampaignAnalysis& analysis, const CampaignPage& page)
{
  const campaign::Data& data = analysis.data;
  std::string html = "<section id=\"made\"><h2>How it was made</h2>\n<dl class=\"plain\">\n";
  if (!page.command.empty()) {
    html += format("<dt>To repeat it</dt><dd><code>{}</code></dd>\n", escape_html(page.command));
  }
  html += definition("Started", data.started);
  html += definition("Ended", data.finished.empty() ? "not yet" : data.finished);
  html += definition("Machine", data.machine);
  std::vector<std::string> versions;
  for (const auto& [name, version] : data.versions) {
    versions.push_back(format("{} {}", name, version));
  }
  html += definition("Versions", join(versions, ", "));
  for (const auto& [name, value] : data.settings) {
    html += definition(name, value);
  }
  html += definition("Unstable",
                     analysis.unstable == 0 ? std::string()
                                            : format("{} with different symptoms in different runs",
                                                     count_of(analysis.unstable, "variant")));
  html += "</dl>\n" + html_table(accounting_table(analysis));
  if (!data.spec.text.empty()) {
    html +=
        format("<details><summary>The campaign file</summary><div><pre>{}</pre></div></details>\n",
               escape_html(data.spec.text));
  }
  return html + "</section>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& inner)
{
  return format("<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", id, title, inner);
}

std::string nothing_if_empty(const ReportTable& table, std::string_view otherwise)
{
  return table.rows.empty() ? format("<p class=\"note\">{}</p>\n", otherwise) : html_table(table);
}

} // namespace

std::string campaign_html(const CampaignAnalysis& analysis,
                          const FigureScripts& scripts,
                          const CampaignPage& page)
{
  const Json figures = campaign_figures(analysis);
  const campaign::Data& data = analysis.data;
  std::string html = head(analysis);
  html += format("<header><p class=\"kicker\">Injection campaign{}</p><h1>{}</h1>"
                 "<p class=\"kicker\">{}{}</p>\n{}</header>\n",
                 data.finished.empty() ? " (still running)" : "",
                 escape_html(data.spec.name),
                 escape_html(data.started.substr(0, 10)),
                 data.machine.empty() ? "" : " · " + escape_html(data.machine),
                 facts(analysis));
  html += navigation() + "<main>\n" + findings(analysis);
  html += section(
      "symptoms",
      "Symptoms",
      "<div class=\"figures\">\n" + figure_html(figures, "symptoms_by_operator") +
          figure_html(figures, "symptoms_by_phase") + "</div>\n" +
          html_table(symptom_table(analysis)) +
          html_table(group_table(analysis, analysis.by_operator, "by_operator", "operator")) +
          html_table(group_table(analysis, analysis.by_phase, "by_phase", "phase")) +
          html_table(group_table(analysis, analysis.by_target, "by_target", "target")));
  html +=
      section("values",
              "Metric and time",
              "<div class=\"figures\">\n" + figure_html(figures, "metric_by_operator") +
                  figure_html(figures, "time_by_operator") +
                  figure_html(figures, "metric_by_phase") + figure_html(figures, "time_by_phase") +
                  "</div>\n" + figure_html(figures, "metric_and_time") +
                  html_table(box_table(analysis, study::Quantity::metric)) +
                  html_table(box_table(analysis, study::Quantity::seconds)));
  html +=
      section("tests",
              "Tests of difference",
              nothing_if_empty(tests_table(analysis),
                               "Too few values: a test needs two clean runs and two variants.") +
                  nothing_if_empty(groups_tests_table(analysis), ""));
  const ReportTable outliers = outlier_table(analysis);
  html += format("<section id=\"outliers\">{}</section>\n",
                 outliers.rows.empty() ? "<h2>Outliers</h2><p class=\"note\">None.</p>"
                                       : html_table(outliers, "h2"));
  const ReportTable crashes = crash_table(analysis);
  html += format("<section id=\"crashes\">{}</section>\n",
                 crashes.rows.empty() ? "<h2>Crash causes</h2><p class=\"note\">None.</p>"
                                      : html_table(crashes, "h2"));
  html +=
      format("<section id=\"taxonomy\">{}</section>\n", html_table(taxonomy_table(analysis), "h2"));
  html += how_it_was_made(analysis, page);
  html += variant_sections(analysis, page);
  return html + "</main>\n" + end_of_page("the stored runs of the campaign", figures, scripts);
}

} // namespace faultline::report
