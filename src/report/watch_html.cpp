// The page of a watched run. Everything that comes from the program goes through escape_html or
// json_for_script; the policy in the head forbids the page to load anything.

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/finding_text.hpp"
#include "report/html.hpp"
#include "report/page.hpp"
#include "report/watch_report.hpp"

#include <cmath>

namespace faultline::report {

namespace {

std::string facts(const trace::Trace& trace, size_t findings)
{
  std::string html = "<dl class=\"facts\">\n";
  html += fact_html("Findings", std::to_string(findings), "");
  html += fact_html("Steps",
                    std::to_string(trace.steps().size()),
                    format("{} looked at closely", trace.checks().size()));
  if (!trace.steps().empty()) {
    const trace::Step& first = trace.steps().front();
    const trace::Step& last = trace.steps().back();
    html +=
        fact_html("Loss", format("{:.4g}", last.loss), format("{:.4g} at the start", first.loss));
    if (!std::isnan(last.accuracy)) {
      html += fact_html("Accuracy of a batch", format("{:.3f}", last.accuracy), "the last one");
    }
  }
  html +=
      fact_html("Layers", std::to_string(trace.layers_in_order().size()), trace.start().framework);
  return html + "</dl>\n";
}

std::string finding_item(const trace::Detection& detection, const source::FileSet& files)
{
  const source::Finding& finding = detection.finding;
  std::string html =
      format("<li class=\"coded\"><span class=\"no\">{}</span><span class=\"verdict {}\">{}</span>"
             "<div class=\"text\"><p>{}</p><p class=\"numbers\"><code>{}</code>, step {}</p>",
             escape_html(finding.rule),
             finding.severity == source::Severity::info ? "undecided" : "not_held",
             name_of(finding.severity),
             escape_html(finding.message),
             escape_html(print_place(finding.place)),
             detection.step);
  if (const std::optional<std::string_view> line = files.line(finding.place, finding.place.line)) {
    html += format("<pre>{}</pre>", escape_html(trim(*line)));
  }
  for (const source::Note& note : finding.notes) {
    html += format("<p class=\"note\">{}</p>", escape_html(note.text));
  }
  if (!finding.help.empty()) {
    html += format("<p>{}</p>", escape_html(finding.help));
  }
  html +=
      format("<p class=\"note\"><span class=\"tag\">{}</span> <span class=\"tag\">{}</span></p>",
             escape_html(finding.type),
             escape_html(finding.fix_pattern));
  return html + "</div></li>\n";
}

std::string figures_html(const Json& figures, bool of_layers)
{
  std::string html = "<div class=\"figures\">\n";
  for (const auto& [name, figure] : figures.items()) {
    if (name.starts_with("layer_") == of_layers) {
      html += figure_html(figures, name);
    }
  }
  return html + "</div>\n";
}

} // namespace

std::string watch_html(const trace::Trace& trace,
                       const std::vector<trace::Detection>& detections,
                       const source::FileSet& files,
                       const FigureScripts& scripts,
                       const WatchPage& page)
{
  const Json figures = watch_figures(trace);
  std::string html = page_head({.title = page.command + " – watched", .figures = true});
  html += format("<header><p class=\"kicker\">Training run</p><h1><code>{}</code></h1>"
                 "<p class=\"kicker\">{} · {} {}</p>\n{}</header>\n"
                 "<nav aria-label=\"Sections\"><ul><li><a href=\"#findings\">Findings</a></li>"
                 "<li><a href=\"#progress\">Progress</a></li><li><a "
                 "href=\"#layers\">Layers</a></li></ul></nav>\n"
                 "<main>\n<section id=\"findings\"><h2>Findings</h2>\n",
                 escape_html(page.command),
                 escape_html(page.when),
                 escape_html(trace.start().framework),
                 escape_html(trace.start().version),
                 facts(trace, detections.size()));
  if (detections.empty()) {
    html += "<p class=\"note\">None: nothing that we look for was seen.</p>\n";
  } else {
    html += "<ol class=\"findings\">\n";
    for (const trace::Detection& detection : detections) {
      html += finding_item(detection, files);
    }
    html += "</ol>\n";
  }
  html += "</section>\n<section id=\"progress\"><h2>Progress</h2>\n" +
          figures_html(figures, false) +
          "</section>\n<section id=\"layers\"><h2>Layers</h2>\n<p class=\"note\">In the order in "
          "which a step calls them.</p>\n" +
          figures_html(figures, true) + "</section>\n";
  return html + "</main>\n" + end_of_page("what a probe recorded", figures, scripts);
}

} // namespace faultline::report
