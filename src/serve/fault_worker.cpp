#include "serve/fault_worker.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/checkout.hpp"
#include "evaluate/subject.hpp"
#include "report/evaluation_report.hpp"

namespace faultline::serve {

namespace {

RunEnd failed(std::string why)
{
  RunEnd end;
  end.verdict = "none";
  end.why = std::move(why);
  return end;
}

Json findings_json(const std::vector<evaluate::JudgedFinding>& findings)
{
  Json json = Json::array();
  for (const evaluate::JudgedFinding& finding : findings) {
    json.push_back(report::judged_finding_json(finding));
  }
  return json;
}

std::string_view words_of(evaluate::RunStatus status)
{
  switch (status) {
  case evaluate::RunStatus::fine:
    return "ended";
  case evaluate::RunStatus::crashed:
    return "crashed";
  case evaluate::RunStatus::timed_out:
    return "timed out";
  case evaluate::RunStatus::out_of_memory:
    return "ran out of memory";
  case evaluate::RunStatus::not_run:
    return "was not run";
  }
  return "?";
}

// "check on the buggy version: ended after 0.41 s, 3 findings", and the findings.
std::string lines_of(const evaluate::FinishedToolRun& done)
{
  std::string text = format("{} on the {} version: {}",
                            done.tool.name,
                            catalog::name_of(done.version),
                            words_of(done.run.status));
  if (done.run.status != evaluate::RunStatus::not_run) {
    text += format(" after {:.2f} s", done.run.seconds);
  }
  text += done.run.reason.empty() ? "" : ", " + done.run.reason;
  if (done.run.status == evaluate::RunStatus::fine) {
    text += ", " + count_of(done.run.findings.size(), "finding");
  }
  text += "\n";
  if (done.run.unmatched > 0) {
    text += format("  {} of its output gave a finding, {} did not; this is what it printed:\n",
                   count_of(done.run.matched, "line"),
                   done.run.unmatched);
    for (const std::string_view line : split_lines(done.run.output)) {
      text += format("  | {}\n", line);
    }
  }
  for (const evaluate::ToolFinding& finding : done.run.findings) {
    // For a tool without rule names, its message takes their place.
    const std::string rule = finding.rule == finding.message ? "" : finding.rule + " ";
    text += format("  {}:{}: {}{}\n", finding.file, finding.line, rule, finding.message);
  }
  return text;
}

class FaultWorker : public RunWorker {
public:
  explicit FaultWorker(WorkshopConfig config)
      : m_config(std::move(config)), m_runner(m_config.runner)
  {
  }

  RunEnd run(const RunRequest& request, LiveRun& live) override
  {
    const Result<catalog::Fault> fault = m_config.load_fault(request.fault);
    if (!fault) {
      return failed(fault.error().line());
    }
    return request.kind == RunKind::test ? test(*fault, request, live)
                                         : tool(*fault, request, live);
  }

private:
  RunEnd test(const catalog::Fault& fault, const RunRequest& request, LiveRun& live)
  {
    const bool fixed = request.version == "fixed";
    Result<FileTree> program =
        catalog::program_of(fault, fixed ? catalog::Version::fixed : catalog::Version::buggy);
    if (!program) {
      return failed(program.error().line());
    }
    proof::ProverConfig config;
    config.fresh = true;
    config.stop = &live.stop;
    config.runner = m_config.runner;
    proof::Prover prover(*m_config.environments, *m_config.outcomes, *m_config.compiler, config);
    const proof::PlannedRun planned{
        fixed ? proof::Purpose::fixed : proof::Purpose::buggy,
        request.seed,
        0,
        *std::move(program),
        proof::places_of(fault, *m_config.environments).proved_in.front()};
    size_t printed = 0;
    const proof::FinishedRun done =
        prover.run_one(fault, planned, m_runner, [&](std::string_view text) {
          live.print(text);
          printed += text.size();
        });
    if (printed == 0) {
      live.print(done.outcome.log); // of the compiler
    }
    RunEnd end;
    end.state = done.outcome.ending == run::Ending::interrupted       ? RunState::interrupted
                : done.outcome.ending == run::Ending::machine_failure ? RunState::failed
                                                                      : RunState::finished;
    end.verdict = name_of(done.judgement.verdict);
    end.why = done.judgement.why;
    end.wall_seconds = done.outcome.wall_seconds;
    end.cpu_seconds = done.outcome.cpu_seconds;
    end.peak_memory_kib = done.outcome.peak_memory_kib;
    return end;
  }

  RunEnd tool(const catalog::Fault& fault, const RunRequest& request, LiveRun& live)
  {
    const Result<evaluate::Toolbox> box =
        evaluate::load_tools(m_config.tools, {request.tool}, *m_config.schemes);
    if (!box) {
      return failed(box.error().line());
    }
    Result<evaluate::Subject> subject = evaluate::subject_of(fault);
    if (!subject) {
      return failed(subject.error().line());
    }
    evaluate::EvaluatorConfig config;
    config.fresh = true;
    config.stop = &live.stop;
    config.runner = m_config.runner;
    config.own = m_config.own;
    config.identities = m_config.identities;
    config.on_output = [&live](std::string_view text) { live.print(text); };
    evaluate::Evaluator evaluator(
        *m_config.environments, *m_config.tool_runs, *m_config.compiler, config);
    const evaluate::Evaluation evaluation = evaluator.evaluate(
        *box,
        {*std::move(subject)},
        [&](size_t runs) {
          live.print(format("{} on {}: {}\n", request.tool, fault.id, count_of(runs, "run")));
        },
        [&](const evaluate::FinishedToolRun& done) {
          // Nothing is known about a run that was stopped, though it may have printed something
          // already.
          if (!live.stop || done.run.status != evaluate::RunStatus::not_run) {
            live.print(lines_of(done));
          }
        });
    const evaluate::Judgement& judgement = evaluation.tools.front().cells.front().judgement;
    RunEnd end;
    end.state = run::interrupted()                       ? RunState::interrupted
                : evaluate::is_scored(judgement.verdict) ? RunState::finished
                                                         : RunState::failed;
    end.verdict = name_of(judgement.verdict);
    end.why = judgement.reason;
    end.wall_seconds = judgement.seconds;
    end.peak_memory_kib = judgement.memory_kib;
    end.findings = findings_json(judgement.findings);
    end.alarms = findings_json(judgement.alarms);
    return end;
  }

  WorkshopConfig m_config;
  run::Runner m_runner;
};

} // namespace

MakeWorker fault_workers(WorkshopConfig config)
{
  return [config = std::move(config)] { return std::make_unique<FaultWorker>(config); };
}

} // namespace faultline::serve
