#include "evaluate/reason.hpp"
#include "report/evaluation_report.hpp"

namespace faultline::report {

using evaluate::Cell;
using evaluate::Evaluation;
using evaluate::JudgedFinding;
using evaluate::Scoreboard;
using evaluate::Scores;
using evaluate::Share;
using evaluate::TopHits;

Json judged_finding_json(const JudgedFinding& judged)
{
  Json json;
  json["tool"] = judged.tool;
  json["rule"] = judged.finding.rule;
  json["severity"] = name_of(judged.severity);
  json["file"] = judged.finding.file;
  json["line"] = judged.finding.line;
  json["message"] = judged.finding.message;
  json["type"] = judged.type;
  json["stays"] = judged.stays;
  json["right_type"] = judged.right_type;
  json["right_line"] = judged.right_line;
  json["right_statement"] = judged.right_statement;
  json["right_layer"] = judged.right_layer;
  json["distance"] = judged.distance ? Json(*judged.distance) : Json();
  return json;
}

namespace {

Json value_of(const Share& share)
{
  const std::optional<double> value = share.value();
  return value ? Json(*value) : Json();
}

Json interval_of(const Share& share)
{
  if (share.of == 0) {
    return {};
  }
  const stats::Interval interval = share.interval();
  return {{"hits", share.hits}, {"of", share.of}, {"low", interval.low}, {"high", interval.high}};
}

Json top_json(const TopHits& top)
{
  return {{"top1", value_of(top.top1)}, {"top3", value_of(top.top3)}, {"top5", value_of(top.top5)}};
}

void add_scores(Json& json, const Scores& scores)
{
  json["faults_in_all"] = scores.faults;
  json["applicable"] = scores.recall.of;
  json["right"] = scores.recall.hits;
  json["recall"] = value_of(scores.recall);
  json["recall_of_all"] = value_of(scores.recall_of_all);
  json["precision"] = value_of(scores.precision);
  json["finding_precision"] = value_of(scores.finding_precision);
  json["false_alarm_rate"] = value_of(scores.false_alarms);
  json["detection_rate"] = value_of(scores.detected);
  json["type_accuracy"] = {{"leaf", value_of(scores.type)},
                           {"category", value_of(scores.category)}};
  json["localization"] = top_json(scores.line);
  json["localization"]["statement"] = top_json(scores.statement);
  json["localization"]["layer"] = top_json(scores.layer);
  const std::optional<double> distance = scores.median_distance();
  json["localization"]["median_distance"] = distance ? Json(*distance) : Json();
  json["intervals"] = {{"recall", interval_of(scores.recall)},
                       {"recall_of_all", interval_of(scores.recall_of_all)},
                       {"precision", interval_of(scores.precision)},
                       {"false_alarm_rate", interval_of(scores.false_alarms)},
                       {"top1", interval_of(scores.line.top1)},
                       {"top3", interval_of(scores.line.top3)},
                       {"top5", interval_of(scores.line.top5)}};
  json["verdicts"] = Json::object();
  for (const auto& [verdict, count] : scores.verdicts) {
    json["verdicts"][std::string(name_of(verdict))] = count;
  }
  json["seconds"] = scores.seconds;
  json["peak_memory_mib"] = scores.memory_kib / 1024;
}

Json cell_json(const evaluate::Subject& subject, const Cell& cell)
{
  Json json;
  json["id"] = subject.id;
  json["verdict"] = name_of(cell.judgement.verdict);
  if (!cell.judgement.reason.empty()) {
    json["reason"] = cell.judgement.reason;
  }
  json["why"] = reason_for(cell.judgement, subject);
  json["output_lines"] = {{"matched", lines_of(cell).matched},
                          {"unmatched", lines_of(cell).unmatched}};
  json["false_alarms"] = cell.judgement.alarms.size();
  json["seconds"] = cell.judgement.seconds;
  json["memory_mib"] = cell.judgement.memory_kib / 1024;
  json["findings"] = Json::array();
  for (const JudgedFinding& finding : cell.judgement.findings) {
    json["findings"].push_back(judged_finding_json(finding));
  }
  json["on_fixed"] = Json::array();
  for (const JudgedFinding& finding : cell.judgement.alarms) {
    json["on_fixed"].push_back(judged_finding_json(finding));
  }
  return json;
}

} // namespace

Json evaluation_json(const Evaluation& evaluation,
                     const Scoreboard& board,
                     const EvaluationPage& page)
{
  Json json;
  json["date"] = page.date;
  json["faultline"] = page.version;
  json["packages"] = page.packages;
  json["subjects"] = page.subjects;
  json["tools"] = Json::array();
  for (const size_t at : board.order) {
    const evaluate::ToolResult& result = evaluation.tools[at];
    Json tool;
    tool["name"] = result.tool.name;
    tool["summary"] = result.tool.summary;
    tool["version"] = result.version;
    tool["hash"] = result.hash;
    tool["installed"] = result.not_installed.empty();
    add_scores(tool, board.tools[at].all);
    tool["faults"] = Json::array();
    for (size_t s = 0; s < evaluation.subjects.size(); ++s) {
      tool["faults"].push_back(cell_json(evaluation.subjects[s], result.cells[s]));
    }
    tool["groups"] = Json::array();
    for (const evaluate::GroupScores& group : board.tools[at].groups) {
      Json entry = {{"by", group.by}, {"name", group.name}};
      add_scores(entry, group.scores);
      tool["groups"].push_back(std::move(entry));
    }
    json["tools"].push_back(std::move(tool));
  }
  json["comparisons"] = Json::array();
  for (const evaluate::Comparison& pair : board.pairs) {
    json["comparisons"].push_back({{"first", evaluation.tools[pair.first].tool.name},
                                   {"second", evaluation.tools[pair.second].tool.name},
                                   {"both", pair.both},
                                   {"only_first", pair.only_first},
                                   {"only_second", pair.only_second},
                                   {"neither", pair.neither},
                                   {"p", pair.p},
                                   {"p_holm", pair.p_adjusted}});
  }
  json["runs"] = evaluation.runs;
  json["fresh_runs"] = evaluation.fresh_runs;
  return json;
}

} // namespace faultline::report
