#include "evaluate/verdict.hpp"

#include "catalog/scheme.hpp"

#include <algorithm>
#include <map>

namespace faultline::evaluate {

std::string_view name_of(Verdict verdict)
{
  switch (verdict) {
  case Verdict::not_run:
    return "not run";
  case Verdict::not_applicable:
    return "not applicable";
  case Verdict::not_installed:
    return "not installed";
  case Verdict::crashed:
    return "crashed";
  case Verdict::timed_out:
    return "timed out";
  case Verdict::out_of_memory:
    return "out of memory";
  case Verdict::said_nothing:
    return "said nothing";
  case Verdict::wrong_cause:
    return "wrong cause";
  case Verdict::right_type:
    return "right type";
  case Verdict::right_place:
    return "right place";
  case Verdict::both:
    return "both";
  }
  return "?";
}

bool is_scored(Verdict verdict)
{
  return verdict != Verdict::not_run && verdict != Verdict::not_applicable &&
         verdict != Verdict::not_installed;
}

bool is_right(Verdict verdict)
{
  return verdict == Verdict::right_type || verdict == Verdict::right_place ||
         verdict == Verdict::both;
}

namespace {

// The file of the program that a tool means, whatever folder it thinks it is in.
std::string program_file(std::string path, const FileTree& program)
{
  if (path.starts_with("file://")) {
    path = path.substr(7);
  }
  while (path.starts_with("./")) {
    path = path.substr(2);
  }
  if (program.contains(path)) {
    return path;
  }
  for (const auto& [name, text] : program) {
    if (path.ends_with("/" + name)) {
      return name;
    }
  }
  return path;
}

// The findings of a run that are of a level that counts.
std::vector<JudgedFinding> counted(const Tool& tool, const ToolRun& run, const FileTree& program)
{
  std::vector<JudgedFinding> findings;
  for (const ToolFinding& said : run.findings) {
    JudgedFinding judged;
    judged.severity = tool.severity_of(said.severity);
    if (!tool.levels.contains(judged.severity)) {
      continue;
    }
    judged.tool = tool.name;
    judged.finding = said;
    judged.finding.file = program_file(said.file, program);
    const auto mapped = tool.types.find(said.rule);
    judged.type = !said.type.empty()           ? said.type
                  : mapped != tool.types.end() ? mapped->second
                                               : std::string();
    findings.push_back(std::move(judged));
  }
  return findings;
}

bool stays(const JudgedFinding& finding, const std::vector<JudgedFinding>& fixed, const Key& key)
{
  const std::string& file = finding.finding.file;
  const std::optional<LineRange> there = key.lines.of(file, finding.finding.line);
  // A library's file is the same for both versions.
  const bool is_outside = !key.subject->buggy.contains(file) && !key.subject->fixed.contains(file);
  return std::ranges::any_of(fixed, [&](const JudgedFinding& other) {
    if (other.finding.rule != finding.finding.rule || other.finding.file != file ||
        other.tool != finding.tool) {
      return false;
    }
    return there ? there->contains(other.finding.line)
                 : (is_outside || finding.finding.line == 0) &&
                       other.finding.line == finding.finding.line;
  });
}

void compare_type(JudgedFinding& finding, const Subject& subject)
{
  const std::string top = finding.type.substr(0, finding.type.find('/'));
  for (const std::string& type : subject.types) {
    finding.right_type |= !finding.type.empty() && catalog::is_within(finding.type, type);
    finding.right_category |= !top.empty() && top == type.substr(0, type.find('/'));
  }
}

// How far a line is from the right ones.
struct Nearness {
  bool line = false;
  bool statement = false;
  bool layer = false;
  std::optional<size_t> distance;
};

Nearness nearness_of(const std::string& file, size_t line, const Key& key)
{
  Nearness near;
  for (const catalog::Location& place : key.subject->places) {
    if (place.file != file || line == 0) {
      continue;
    }
    for (const int right_line : place.lines) {
      const auto right = static_cast<size_t>(right_line);
      const size_t distance = right > line ? right - line : line - right;
      near.distance = std::min(near.distance.value_or(distance), distance);
      near.line |= distance == 0;
      near.statement |= key.places.same_statement(file, line, right);
      near.layer |= key.places.same_layer(file, line, right);
    }
  }
  return near;
}

// By file and line, as a tool may say a thousand things about one.
using NearnessOf = std::map<std::pair<std::string, size_t>, Nearness>;

void compare_place(JudgedFinding& finding, const Key& key, NearnessOf& known)
{
  const std::pair place(finding.finding.file, finding.finding.line);
  auto found = known.find(place);
  if (found == known.end()) {
    found = known.emplace(place, nearness_of(place.first, place.second, key)).first;
  }
  finding.right_line = found->second.line;
  finding.right_statement = found->second.statement;
  finding.right_layer = found->second.layer;
  finding.distance = found->second.distance;
}

Verdict verdict_of(RunStatus status)
{
  return status == RunStatus::timed_out       ? Verdict::timed_out
         : status == RunStatus::out_of_memory ? Verdict::out_of_memory
         : status == RunStatus::crashed       ? Verdict::crashed
                                              : Verdict::not_run;
}

Verdict verdict_of(const std::vector<JudgedFinding>& findings)
{
  bool any = false;
  bool type = false;
  bool place = false;
  for (const JudgedFinding& finding : findings) {
    if (!finding.stays) {
      any = true;
      type |= finding.right_type;
      place |= finding.right_line;
    }
  }
  return type && place ? Verdict::both
         : place       ? Verdict::right_place
         : type        ? Verdict::right_type
         : any         ? Verdict::wrong_cause
                       : Verdict::said_nothing;
}

// Two members of a union that say the same of the same line say it once.
void add_new(std::vector<JudgedFinding>& all, std::vector<JudgedFinding> more)
{
  const size_t before = all.size();
  for (JudgedFinding& finding : more) {
    const bool known = std::any_of(
        all.begin(), all.begin() + static_cast<ptrdiff_t>(before), [&](const JudgedFinding& other) {
          return !finding.type.empty() && other.type == finding.type &&
                 other.finding.file == finding.finding.file &&
                 other.finding.line == finding.finding.line && other.stays == finding.stays;
        });
    if (!known) {
      all.push_back(std::move(finding));
    }
  }
}

} // namespace

Judgement judge(const Key& key, std::span<const Attempt* const> attempts)
{
  Judgement judgement;
  judgement.verdict = Verdict::not_applicable;
  bool fine = false;
  NearnessOf known;
  for (const Attempt* attempt : attempts) {
    if (attempt->not_applicable || attempt->not_installed) {
      if (!fine && judgement.verdict == Verdict::not_applicable) {
        judgement.verdict =
            attempt->not_applicable ? Verdict::not_applicable : Verdict::not_installed;
        judgement.reason =
            attempt->not_applicable ? *attempt->not_applicable : *attempt->not_installed;
      }
      continue;
    }
    judgement.seconds += attempt->buggy.seconds + attempt->fixed.seconds;
    judgement.memory_kib =
        std::max({judgement.memory_kib, attempt->buggy.memory_kib, attempt->fixed.memory_kib});
    const bool buggy_fine = attempt->buggy.status == RunStatus::fine;
    const ToolRun& worse = buggy_fine ? attempt->fixed : attempt->buggy;
    if (worse.status == RunStatus::not_run) {
      // What a union would say is not known before all of its members ran.
      Judgement unknown;
      unknown.verdict = Verdict::not_run;
      unknown.reason = worse.reason;
      return unknown;
    }
    if (worse.status != RunStatus::fine) {
      if (!fine && !is_scored(judgement.verdict)) {
        judgement.verdict = verdict_of(worse.status);
        judgement.reason = (buggy_fine ? "on the fixed version: " : "") + worse.reason;
      }
      continue;
    }
    fine = true;
    std::vector<JudgedFinding> fixed = counted(*attempt->tool, attempt->fixed, key.subject->fixed);
    std::vector<JudgedFinding> buggy = counted(*attempt->tool, attempt->buggy, key.subject->buggy);
    for (JudgedFinding& finding : buggy) {
      finding.stays = stays(finding, fixed, key);
      compare_type(finding, *key.subject);
      compare_place(finding, key, known);
    }
    add_new(judgement.findings, std::move(buggy));
    add_new(judgement.alarms, std::move(fixed));
  }
  if (fine) {
    judgement.verdict = verdict_of(judgement.findings);
    judgement.reason.clear();
    judgement.fixed_ran = true;
  }
  return judgement;
}

} // namespace faultline::evaluate
