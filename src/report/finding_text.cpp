#include "report/finding_text.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/excerpt.hpp"

namespace faultline::report {

static Colour colour_of(source::Severity severity)
{
  switch (severity) {
  case source::Severity::error:
    return Colour::red;
  case source::Severity::warning:
    return Colour::yellow;
  case source::Severity::info:
    return Colour::cyan;
  }
  return Colour::plain;
}

// "is applied here" with a place reads "is applied at train.py:10:43".
static std::string print_note(const source::Note& note)
{
  const std::string text = printable(note.text);
  if (!note.place) {
    return text;
  }
  const std::string place = print_place(*note.place);
  if (text.ends_with(" here")) {
    return format("{} at {}", text.substr(0, text.size() - 5), place);
  }
  return format("{} ({})", text, place);
}

std::string print_place(const source::Place& place)
{
  const std::string file = printable(place.file);
  return place.cell > 0
             ? format("{}:cell {}:line {}:{}", file, place.cell, place.line, place.column)
             : format("{}:{}:{}", file, place.line, place.column);
}

std::string
finding_text(const source::Finding& finding, const source::FileSet& files, const Painter& paint)
{
  const Colour colour = colour_of(finding.severity);
  const ExcerptStyle style{paint, colour, gutter_of(finding.place)};
  const std::string indent(style.gutter, ' ');
  std::string text = paint(colour, format("{}[{}]", name_of(finding.severity), finding.rule)) +
                     paint(Colour::bold, ": " + printable(finding.message)) + "\n";
  text += indent + paint(Colour::blue, "-->") + " " + print_place(finding.place) + "\n";
  text += excerpt(finding.place, finding.label, files, style);
  const auto remark = [&](std::string_view kind, const std::string& words) {
    text +=
        indent + paint(Colour::blue, " =") + " " + paint(Colour::bold, kind) + ": " + words + "\n";
  };
  for (const source::Note& note : finding.notes) {
    remark("note", print_note(note));
  }
  if (!finding.help.empty()) {
    remark("help", printable(finding.help));
  }
  if (finding.fix) {
    remark("fix",
           format("{} (`--fix{}`)",
                  printable(finding.fix->description),
                  finding.fix->safe ? "" : " --unsafe"));
  }
  return text;
}

} // namespace faultline::report
