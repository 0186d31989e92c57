// The page of a watched run. Everything that comes from the program goes through escape_html or
// json_for_script; the policy in the head forbids the page to load anything.

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/finding_text.hpp"
#include "report/html.hpp"
#include "report/page.hpp"
#include "report/watch_lost.hpp"
#include "report/watch_report.hpp"

#include <cmath>

namespace faultline::report {

namespace {

// How a run ended, if there is something to say about it: probes take many an end for a good one.
struct Ending {
  std::string text = {}; // a word or two, or nothing
  std::string more = {};
  std::string sentence = {}; // if it ended before its time
};

Ending ending_of(const trace::Trace& trace, WatchEnd end)
{
  const std::string where = trace.steps().empty()
                                ? std::string("before a training step had ended")
                                : format("after step {}", trace.steps().back().step);
  if (end == WatchEnd::interrupt) {
    return {"interrupted", where, format("The run was interrupted {}.", where)};
  }
  if (end == WatchEnd::finding) {
    return {"stopped", where, format("The run was stopped at a finding, {}.", where)};
  }
  if (const std::optional<trace::Crash>& crash = trace.crash()) {
    return {"crashed",
            where,
            format("The program crashed {}: {}: {}", where, crash->exception, crash->message)};
  }
  const int status = trace.end() ? trace.end()->status : -1;
  if (status == -1) {
    return {"broken off",
            where,
            format("The recording ends {}: the program was interrupted or killed.", where)};
  }
  return status == 0 ? Ending{} : Ending{"with an error", format("exit status {}", status)};
}

std::string print_loss(double loss)
{
  return std::isnan(loss) ? "not a number" : std::isinf(loss) ? "infinite" : format("{:.4g}", loss);
}

std::string loss_fact(const trace::Trace& trace)
{
  const trace::Step& last = trace.steps().back();
  const std::vector<LostStretch> lost = lost_losses(trace);
  if (std::isnan(last.loss) && lost.empty()) {
    return fact_html("Loss", "–", "not seen");
  }
  std::string more = format("{} at the start", print_loss(trace.steps().front().loss));
  if (!lost.empty()) {
    more = lost.front().first == trace.steps().front().step && lost.back().to_the_end &&
                   lost.size() == 1
               ? "at every step"
               : format("{}; {}", more, print_stretch(lost.back()));
  }
  return fact_html("Loss", print_loss(last.loss), more);
}

std::string facts(const trace::Trace& trace, size_t findings, const Ending& ending)
{
  std::string html = "<dl class=\"facts\">\n";
  html += fact_html("Findings", std::to_string(findings), "");
  html += fact_html("Steps",
                    std::to_string(trace.steps().size()),
                    format("{} inspected closely", trace.checks().size()));
  if (!trace.steps().empty()) {
    html += loss_fact(trace);
    if (const double accuracy = trace.steps().back().accuracy; !std::isnan(accuracy)) {
      html += fact_html("Accuracy of a batch", format("{:.3f}", accuracy), "the last one");
    }
  }
  html +=
      fact_html("Layers", std::to_string(trace.layers_in_order().size()), trace.start().framework);
  if (!ending.text.empty()) {
    html += fact_html("Ended", ending.text, ending.more);
  }
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
             message_html(finding.message),
             escape_html(print_place(finding.place)),
             detection.step);
  if (const std::optional<std::string_view> line = files.line(finding.place, finding.place.line)) {
    html += format("<pre>{}</pre>", escape_html(trim(*line)));
  }
  for (const source::Note& note : finding.notes) {
    html += format("<p class=\"note\">{}</p>", message_html(note.text));
  }
  if (!finding.help.empty()) {
    html += format("<p class=\"help\"><span class=\"label\">Help</span>{}</p>",
                   message_html(finding.help));
  }
  html +=
      format("<p class=\"note\"><span class=\"tag\">{}</span> <span class=\"tag\">{}</span></p>",
             escape_html(finding.type),
             escape_html(finding.fix_pattern));
  return html + "</div></li>\n";
}

std::string figures_html(const Json& figures, bool of_layers)
{
  std::string html;
  for (const auto& [name, figure] : figures.items()) {
    if (name.starts_with("layer_") == of_layers) {
      html += figure_html(figures, name);
    }
  }
  return html.empty() ? html : "<div class=\"figures\">\n" + html + "</div>\n";
}

std::string note_html(std::string_view text)
{
  return format("<p class=\"note\">{}</p>\n", message_html(text));
}

// What to know before anything else: the run is not whole, or the record of it is not.
std::string warnings_html(const trace::Trace& trace, const Ending& ending)
{
  std::string html;
  const auto add = [&html](const std::string& text) {
    html += format("<p class=\"marked\">{}</p>\n", escape_html(text));
  };
  if (!ending.sentence.empty()) {
    add(ending.sentence);
  }
  if (trace.problem()) {
    add(format("The probe gave up, and saw nothing more: {}", trace.problem()->message));
  }
  return html;
}

std::string progress_html(const trace::Trace& trace, const Json& figures)
{
  std::string html;
  if (trace.steps().empty()) {
    html += note_html("No curves: no training step has ended.");
  } else if (!figures.contains("loss")) {
    html += note_html(lost_losses(trace).empty() ? "No curve of the loss: it was not seen."
                                                 : "No curve of the loss: it was never finite.");
  }
  return html + figures_html(figures, false);
}

std::string layers_html(const trace::Trace& trace, const Json& figures)
{
  const std::vector<const trace::Layer*> layers = trace.layers_in_order();
  if (layers.empty()) {
    return note_html("No call of a layer was seen.");
  }
  std::string missing;
  size_t drawn = 0;
  for (const trace::Layer* layer : layers) {
    if (figures.contains(format("layer_{}", layer->id))) {
      ++drawn;
      continue;
    }
    const std::vector<LostStretch> lost = lost_checks(trace, layer->id);
    missing +=
        format("<li><code>{}</code> {}{}{}</li>\n",
               escape_html(layer->name.empty() ? layer->kind : layer->name),
               layer->name.empty() ? "" : escape_html(layer->kind),
               layer->site.line > 0
                   ? format(", <code>{}:{}</code>", escape_html(layer->site.file), layer->site.line)
                   : "",
               lost.empty() ? "" : ": " + print_stretch(lost.front()));
  }
  std::string html;
  if (drawn > 0) {
    html += note_html("In the order in which a step calls them.") + figures_html(figures, true);
  }
  if (!missing.empty()) {
    html += note_html(trace.checks().empty()
                          ? "Layers are measured when a step ends, and none did. Called until then:"
                          : "Without a curve, since no finite number above zero was measured:");
    html += "<ul class=\"note\">\n" + missing + "</ul>\n";
  }
  return html;
}

} // namespace

std::string watch_html(const trace::Trace& trace,
                       const std::vector<trace::Detection>& detections,
                       const source::FileSet& files,
                       const FigureScripts& scripts,
                       const WatchPage& page)
{
  const Json figures = watch_figures(trace);
  const Ending ending = ending_of(trace, page.end);
  std::string html = page_head({.title = page.command + " – watched", .figures = true});
  html += format("<header><p class=\"kicker\">Training run</p><h1><code>{}</code></h1>"
                 "<p class=\"kicker\">{} · {} {}</p>\n{}{}</header>\n"
                 "<nav aria-label=\"Sections\"><ul><li><a href=\"#findings\">Findings</a></li>"
                 "<li><a href=\"#progress\">Progress</a></li><li><a "
                 "href=\"#layers\">Layers</a></li></ul></nav>\n"
                 "<main>\n<section id=\"findings\"><h2>Findings</h2>\n",
                 escape_html(page.command),
                 escape_html(page.when),
                 escape_html(trace.start().framework),
                 escape_html(trace.start().version),
                 facts(trace, detections.size(), ending),
                 warnings_html(trace, ending));
  if (detections.empty()) {
    html +=
        note_html(ending.sentence.empty() ? "None: nothing that we look for was seen."
                                          : "None until then: nothing that we look for was seen.");
  } else {
    html += "<ol class=\"findings\">\n";
    for (const trace::Detection& detection : detections) {
      html += finding_item(detection, files);
    }
    html += "</ol>\n";
  }
  html += "</section>\n<section id=\"progress\"><h2>Progress</h2>\n" +
          progress_html(trace, figures) + "</section>\n<section id=\"layers\"><h2>Layers</h2>\n" +
          layers_html(trace, figures) + "</section>\n";
  return html + "</main>\n" + end_of_page("what a probe recorded", figures, scripts);
}

} // namespace faultline::report
