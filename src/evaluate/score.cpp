#include "evaluate/score.hpp"

#include "stats/mcnemar.hpp"
#include "stats/multiple_tests.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace faultline::evaluate {

std::optional<double> Share::value() const
{
  return of == 0 ? std::nullopt
                 : std::optional(static_cast<double>(hits) / static_cast<double>(of));
}

stats::Interval Share::interval() const
{
  return stats::wilson(hits, of);
}

std::optional<double> Scores::median_distance() const
{
  if (distances.empty()) {
    return std::nullopt;
  }
  const size_t half = distances.size() / 2;
  return distances.size() % 2 == 1 ? static_cast<double>(distances[half])
                                   : static_cast<double>(distances[half - 1] + distances[half]) / 2;
}

namespace {

using Hit = bool JudgedFinding::*;

bool any(const std::vector<JudgedFinding>& findings, Hit hit, size_t first)
{
  const size_t end = std::min(first, findings.size());
  return std::any_of(findings.begin(),
                     findings.begin() + static_cast<ptrdiff_t>(end),
                     [hit](const JudgedFinding& f) { return !f.stays && f.*hit; });
}

void count_hits(TopHits& top, const std::vector<JudgedFinding>& findings, Hit hit)
{
  top.top1.count(any(findings, hit, 1));
  top.top3.count(any(findings, hit, 3));
  top.top5.count(any(findings, hit, 5));
}

void count_precision(Scores& scores, const Judgement& judgement)
{
  if (is_right(judgement.verdict)) {
    scores.precision.count(true);
  } else if (judgement.verdict == Verdict::wrong_cause) {
    scores.precision.count(false);
  }
  if (!judgement.alarms.empty()) {
    scores.precision.count(false);
  }
  for (const JudgedFinding& finding : judgement.findings) {
    scores.finding_precision.count(!finding.stays && (finding.right_type || finding.right_line));
  }
  for (size_t i = 0; i < judgement.alarms.size(); ++i) {
    scores.finding_precision.count(false);
  }
}

void count_distance(Scores& scores, const Judgement& judgement)
{
  std::optional<size_t> nearest;
  for (const JudgedFinding& finding : judgement.findings) {
    if (!finding.stays && finding.distance) {
      nearest = std::min(nearest.value_or(*finding.distance), *finding.distance);
    }
  }
  if (nearest) {
    scores.distances.push_back(*nearest);
  }
}

} // namespace

Scores score(const std::vector<const Judgement*>& judgements)
{
  Scores scores;
  scores.faults = judgements.size();
  for (const Judgement* judgement : judgements) {
    const Verdict verdict = judgement->verdict;
    ++scores.verdicts[verdict];
    scores.seconds += judgement->seconds;
    scores.memory_kib = std::max(scores.memory_kib, judgement->memory_kib);
    if (verdict != Verdict::not_run && verdict != Verdict::not_installed) {
      scores.recall_of_all.count(is_right(verdict));
    }
    if (!is_scored(verdict)) {
      continue;
    }
    const std::vector<JudgedFinding>& findings = judgement->findings;
    const bool detected = is_right(verdict) || verdict == Verdict::wrong_cause;
    scores.recall.count(is_right(verdict));
    scores.detected.count(detected);
    count_precision(scores, *judgement);
    if (judgement->fixed_ran) {
      scores.false_alarms.count(!judgement->alarms.empty());
    }
    if (detected) {
      scores.type.count(any(findings, &JudgedFinding::right_type, findings.size()));
      scores.category.count(any(findings, &JudgedFinding::right_category, findings.size()));
    }
    count_hits(scores.line, findings, &JudgedFinding::right_line);
    count_hits(scores.statement, findings, &JudgedFinding::right_statement);
    count_hits(scores.layer, findings, &JudgedFinding::right_layer);
    count_distance(scores, *judgement);
  }
  std::ranges::sort(scores.distances);
  return scores;
}

namespace {

std::vector<GroupScores> group_scores(const Evaluation& evaluation, const ToolResult& tool)
{
  std::vector<GroupScores> groups;
  for (const std::string_view by : k_group_names) {
    std::map<std::string, std::vector<const Judgement*>> members;
    for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
      const auto& named = evaluation.subjects[s].groups;
      const auto values = named.find(std::string(by));
      if (values != named.end()) {
        for (const std::string& value : values->second) {
          members[value].push_back(&tool.cells[s].judgement);
        }
      }
    }
    for (const auto& [name, judgements] : members) {
      groups.push_back({std::string(by), name, score(judgements)});
    }
  }
  return groups;
}

} // namespace

Comparison compare(const Evaluation& evaluation, size_t first, size_t second)
{
  Comparison pair;
  pair.first = first;
  pair.second = second;
  for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
    const Verdict a = evaluation.tools[first].cells[s].judgement.verdict;
    const Verdict b = evaluation.tools[second].cells[s].judgement.verdict;
    if (!is_scored(a) || !is_scored(b)) {
      continue;
    }
    pair.both += is_right(a) && is_right(b) ? 1 : 0;
    pair.only_first += is_right(a) && !is_right(b) ? 1 : 0;
    pair.only_second += !is_right(a) && is_right(b) ? 1 : 0;
    pair.neither += !is_right(a) && !is_right(b) ? 1 : 0;
  }
  pair.p = stats::mcnemar_exact(pair.only_first, pair.only_second);
  return pair;
}

std::map<std::string, Share> recall_by_type(const Evaluation& evaluation, const ToolResult& tool)
{
  std::map<std::string, Share> recall;
  for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
    const Verdict verdict = tool.cells[s].judgement.verdict;
    const auto types = evaluation.subjects[s].groups.find("type");
    if (!is_scored(verdict) || types == evaluation.subjects[s].groups.end()) {
      continue;
    }
    std::set<std::string> nodes;
    for (const std::string& type : types->second) {
      for (size_t end = type.find('/'); end != std::string::npos; end = type.find('/', end + 1)) {
        nodes.insert(type.substr(0, end));
      }
      nodes.insert(type);
    }
    for (const std::string& node : nodes) {
      recall[node].count(is_right(verdict));
    }
  }
  return recall;
}

Scoreboard score(const Evaluation& evaluation)
{
  Scoreboard board;
  for (const ToolResult& tool : evaluation.tools) {
    std::vector<const Judgement*> all;
    for (const Cell& cell : tool.cells) {
      all.push_back(&cell.judgement);
    }
    board.tools.push_back({score(all), group_scores(evaluation, tool)});
  }
  board.order.resize(board.tools.size());
  std::iota(board.order.begin(), board.order.end(), size_t{0});
  std::ranges::stable_sort(board.order, [&board](size_t a, size_t b) {
    const Scores& left = board.tools[a].all;
    const Scores& right = board.tools[b].all;
    if ((left.recall.of == 0) != (right.recall.of == 0)) {
      return right.recall.of == 0; // who was never run comes last
    }
    return left.recall_of_all.hits != right.recall_of_all.hits
               ? left.recall_of_all.hits > right.recall_of_all.hits
               : left.false_alarms.hits < right.false_alarms.hits;
  });
  for (size_t a = 0; a < board.tools.size(); ++a) {
    for (size_t b = a + 1; b < board.tools.size(); ++b) {
      if (board.tools[a].all.recall.of > 0 && board.tools[b].all.recall.of > 0) {
        board.pairs.push_back(compare(evaluation, a, b));
      }
    }
  }
  std::vector<double> p_values;
  for (const Comparison& pair : board.pairs) {
    p_values.push_back(pair.p);
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (size_t i = 0; i < adjusted.size(); ++i) {
    board.pairs[i].p_adjusted = adjusted[i];
  }
  return board;
}

} // namespace faultline::evaluate
