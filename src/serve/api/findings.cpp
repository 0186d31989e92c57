#include "report/evaluation_report.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

namespace faultline::serve {

static Json list_json(const std::vector<evaluate::JudgedFinding>& findings)
{
  Json json = Json::array();
  for (const evaluate::JudgedFinding& finding : findings) {
    json.push_back(report::judged_finding_json(finding));
  }
  return json;
}

static Json
findings_json(const Board& board, const std::string& id, const run::Environments& environments)
{
  Json json;
  json["id"] = id;
  json["tools"] = Json::array();
  for (const evaluate::ToolResult& result : board.evaluation.tools) {
    const evaluate::Judgement& judgement = result.cells.front().judgement;
    Json entry = tool_json(*board.box, result.tool, environments);
    entry["applicable"] = judgement.verdict != evaluate::Verdict::not_applicable;
    if (!judgement.reason.empty()) {
      entry["reason"] = judgement.reason;
    }
    entry["verdict"] = name_of(judgement.verdict);
    entry["seconds"] = judgement.seconds;
    entry["memory_mib"] = judgement.memory_kib / 1024;
    entry["findings"] = list_json(judgement.findings);
    entry["alarms"] = list_json(judgement.alarms);
    json["tools"].push_back(std::move(entry));
  }
  return json;
}

Reply get_findings(Context& context, const Request& request)
{
  if (const Result<void> fine = Parameters(request).finish(); !fine) {
    return error_reply(fine.error());
  }
  const std::string& id = request.captures.at(0);
  // An unknown id must not take a place in the cache.
  if (const Result<catalog::Fault> fault = context.knowledge->fault(id); !fault) {
    return error_reply(fault.error());
  }
  return text_reply(
      context.knowledge->evaluation_answer("findings " + id, [&]() -> Result<std::string> {
        FL_TRY(const catalog::Fault fault, context.knowledge->fault(id));
        FL_TRY(evaluate::Subject subject, evaluate::subject_of(fault));
        std::vector<evaluate::Subject> subjects;
        subjects.push_back(std::move(subject));
        FL_TRY(const Board board, context.knowledge->judge(std::move(subjects), id));
        return print_json_line(findings_json(board, id, *context.environments));
      }));
}

} // namespace faultline::serve
