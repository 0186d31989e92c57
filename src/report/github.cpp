#include "report/github.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

namespace faultline::report {

// As the runner unescapes it; line feeds would end the command.
static std::string escaped_message(std::string text)
{
  text = replace_all(std::move(text), "%", "%25");
  text = replace_all(std::move(text), "\r", "%0D");
  return replace_all(std::move(text), "\n", "%0A");
}

static std::string escaped_property(const std::string& text)
{
  return replace_all(replace_all(escaped_message(text), ":", "%3A"), ",", "%2C");
}

static std::string_view command_of(source::Severity severity)
{
  return severity == source::Severity::info ? "notice" : name_of(severity);
}

std::string github_annotation(const source::Finding& finding, const source::FileSet& files)
{
  // GitHub shows files, not cells.
  const source::Place place = files.place_on_disk(finding.place);
  // It refuses columns where an annotation has several lines.
  const std::string lines = place.line == place.end_line
                                ? format("line={},col={},endLine={},endColumn={}",
                                         place.line,
                                         place.column,
                                         place.end_line,
                                         place.end_column)
                                : format("line={},endLine={}", place.line, place.end_line);
  std::string message = finding.message;
  for (const source::Note& note : finding.notes) {
    message += "\nnote: " + note.text +
               (note.place ? format(" ({}:{})", note.place->file, note.place->line) : "");
  }
  if (!finding.help.empty()) {
    message += "\nhelp: " + finding.help;
  }
  return format("::{} file={},{},title={}::{}\n",
                command_of(finding.severity),
                escaped_property(place.file),
                lines,
                escaped_property(finding.rule),
                escaped_message(message));
}

} // namespace faultline::report
