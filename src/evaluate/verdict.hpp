#pragma once

#include "evaluate/line_map.hpp"
#include "evaluate/places.hpp"
#include "evaluate/subject.hpp"
#include "evaluate/tool.hpp"
#include "evaluate/tool_run.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::evaluate {

// How a tool did on one fault.
enum class Verdict {
  not_run, // the machine could not, or we were interrupted
  not_applicable,
  not_installed,
  crashed,
  timed_out,
  out_of_memory,
  said_nothing, // that the fix would remove
  wrong_cause,  // something, but neither the type nor the place
  right_type,
  right_place,
  both,
};

inline constexpr std::array<Verdict, 11> k_verdicts = {Verdict::both,
                                                       Verdict::right_place,
                                                       Verdict::right_type,
                                                       Verdict::wrong_cause,
                                                       Verdict::said_nothing,
                                                       Verdict::out_of_memory,
                                                       Verdict::timed_out,
                                                       Verdict::crashed,
                                                       Verdict::not_installed,
                                                       Verdict::not_applicable,
                                                       Verdict::not_run};

std::string_view name_of(Verdict verdict); // "right type"

// It counts in the scores: the tool was there, was meant for it, and had its chance.
bool is_scored(Verdict verdict);
// The tool named the type or the place.
bool is_right(Verdict verdict);

// A finding that counts, judged against the right answers.
struct JudgedFinding {
  std::string tool; // the member of a union that says it
  ToolFinding finding;
  source::Severity severity = source::Severity::warning;
  std::string type;            // as the tool or its description names it
  bool stays = false;          // it is there on the fixed version too, so it does not detect
  bool right_type = false;     // the leaf
  bool right_category = false; // the top of the taxonomy
  bool right_line = false;
  bool right_statement = false;
  bool right_layer = false;
  std::optional<size_t> distance; // lines to the nearest right one in that file
};

struct Judgement {
  Verdict verdict = Verdict::not_run;
  std::string reason;                  // for those that are not about findings
  std::vector<JudgedFinding> findings; // on the buggy version, in the tool's order
  std::vector<JudgedFinding> alarms;   // on the fixed version: each is a false one
  bool fixed_ran = false;              // else nothing is known of false alarms
  double seconds = 0;                  // of both runs
  size_t memory_kib = 0;               // the higher of both
};

// What is needed of a subject to judge many tools on it.
struct Key {
  const Subject* subject = nullptr;
  ProgramPlaces places;
  LineMap lines;

  explicit Key(const Subject& of) : subject(&of), places(of.buggy), lines(of.buggy, of.fixed) {}
};

// What one tool did on a fault; of a union, one of its members.
struct Attempt {
  const Tool* tool = nullptr;
  std::optional<std::string> not_applicable;
  std::optional<std::string> not_installed;
  ToolRun buggy;
  ToolRun fixed;
};

// A finding counts if it is of a level that counts and both versions could be run: without the
// fixed version nothing shows that it is about the fault.
Judgement judge(const Key& key, std::span<const Attempt* const> attempts);

} // namespace faultline::evaluate
