#include "evaluate/reason.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace faultline::evaluate {

namespace {

// The finding that the fix removes and that comes nearest to a right line.
const JudgedFinding* nearest(const std::vector<JudgedFinding>& findings)
{
  const JudgedFinding* best = nullptr;
  for (const JudgedFinding& finding : findings) {
    const bool nearer =
        best == nullptr ||
        (finding.distance && (!best->distance || *finding.distance < *best->distance));
    if (!finding.stays && nearer) {
      best = &finding;
    }
  }
  return best;
}

std::string place_of(const ToolFinding& finding)
{
  return finding.file.empty() ? "no file"
         : finding.line == 0  ? finding.file + " without a line"
                              : format("{}:{}", finding.file, finding.line);
}

std::string right_places(const Subject& subject)
{
  std::vector<std::string> places;
  for (const catalog::Location& place : subject.places) {
    for (const int line : place.lines) {
      places.push_back(format("{}:{}", place.file, line));
    }
  }
  return places.empty() ? "no line is known to be right" : "right is " + join(places, " or ");
}

std::string about_place(const JudgedFinding& finding, const Subject& subject)
{
  const std::string distance =
      finding.distance ? format(", {} away", count_of(*finding.distance, "line")) : "";
  return format("said at another place: {}{}; {}",
                place_of(finding.finding),
                distance,
                right_places(subject));
}

std::string about_type(const JudgedFinding& finding, const Subject& subject)
{
  const std::string right = subject.types.empty() ? "no type is known to be right"
                                                  : "right is " + join(subject.types, " or ");
  return finding.type.empty() ? "named no cause; " + right
                              : format("named another cause: {}; {}", finding.type, right);
}

std::string said_nothing(const Judgement& judgement)
{
  return judgement.findings.empty() ? "said nothing about the buggy version that counts"
                                    : format("{}, of which each is there on the fixed version, too",
                                             count_of(judgement.findings.size(), "finding"));
}

} // namespace

std::string reason_for(const Judgement& judgement, const Subject& subject)
{
  const JudgedFinding* best = nearest(judgement.findings);
  switch (judgement.verdict) {
  case Verdict::said_nothing:
    return said_nothing(judgement);
  case Verdict::wrong_cause:
    return about_place(*best, subject) + "; " + about_type(*best, subject);
  case Verdict::right_place:
    return about_type(*best, subject);
  case Verdict::right_type:
    return about_place(*best, subject);
  case Verdict::both:
    return "named the cause and the place";
  default:
    return judgement.reason.empty() ? std::string(name_of(judgement.verdict)) : judgement.reason;
  }
}

} // namespace faultline::evaluate
