#pragma once

// How an evaluation is shown. Whatever a tool printed is hostile text.

#include "base/json.hpp"
#include "base/terminal.hpp"
#include "evaluate/score.hpp"

#include <string>
#include <vector>

namespace faultline::report {

// What stands above the numbers: enough to repeat them.
struct EvaluationPage {
  std::string command;
  std::string date;
  std::string version;                         // of Faultline
  std::map<std::string, std::string> packages; // what ran the programs
  std::string subjects;                        // "the faultload", or a set's folder
};

std::string evaluation_text(const evaluate::Evaluation& evaluation,
                            const evaluate::Scoreboard& board,
                            const EvaluationPage& page,
                            const Painter& paint);

// Other programs build on the shape, so it only ever grows.
Json evaluation_json(const evaluate::Evaluation& evaluation,
                     const evaluate::Scoreboard& board,
                     const EvaluationPage& page);

Json judged_finding_json(const evaluate::JudgedFinding& judged);

// One line for each tool and fault.
std::string evaluation_csv(const evaluate::Evaluation& evaluation);

// One page that needs nothing else: scores, a matrix of faults and tools, and behind each field of
// it what the tool said.
std::string evaluation_html(const evaluate::Evaluation& evaluation,
                            const evaluate::Scoreboard& board,
                            const EvaluationPage& page);

// Why a tool gave no answer, a line for each way in which it failed: "b5 crashed on 18 of 18
// programs; the first is pytorch-a: exit status 127: nosuchtool: not found". Safe to print.
std::vector<std::string> failures_of(const evaluate::ToolResult& tool,
                                     const std::vector<evaluate::Subject>& subjects);

// What was printed by one tool on both versions of a fault and gave findings, or none.
struct OutputLines {
  size_t matched = 0;
  size_t unmatched = 0;
};
OutputLines lines_of(const evaluate::Cell& cell);

// How much of what a tool printed was not understood: "mine: 0 lines matched a pattern, 37 did not,
// on 16 of 16 programs none; see them with …". Nothing for a tool whose every line gave a finding.
// Safe to print.
std::vector<std::string> unread_of(const evaluate::ToolResult& tool,
                                   const std::vector<evaluate::Subject>& subjects);

// Everything about single runs: why each fault was missed or not, what the tool printed with the
// pattern that matched each line, its log and its findings. Safe to print.
std::string evaluation_details(const evaluate::Evaluation& evaluation, const Painter& paint);

// Tables for a paper, with \\toprule and its like of the package booktabs.
std::string evaluation_latex(const evaluate::Evaluation& evaluation,
                             const evaluate::Scoreboard& board,
                             const EvaluationPage& page);

// "71.4 %", or "–" of nothing; with its interval "71.4 % (45.4 to 88.3)".
std::string print_share(const evaluate::Share& share);
std::string print_with_interval(const evaluate::Share& share);

} // namespace faultline::report
