#include "rules/facts.hpp"

#include "program/names/api.hpp"
#include "rules/reporter.hpp"

namespace faultline::rules {

void report_problems(const Program& program, Reporter& report, program::ProblemKind kind)
{
  for (const program::Problem& problem : program.problems()) {
    if (problem.kind != kind) {
      continue;
    }
    Draft& draft = report.add(problem.span, problem.message);
    if (problem.call != nullptr) {
      draft.cause(problem.call);
    }
    if (!problem.help.empty()) {
      draft.help(problem.help);
    }
    for (const program::Problem::Remark& note : problem.notes) {
      draft.note(note.span, note.text);
    }
  }
}

static bool keeps_values(const Call& call)
{
  return call.has(program::k_reshaping) || call.has(program::k_dropping) || call.is("cast") ||
         call.is("contiguous") || call.is("identity") || call.is("slice") || call.is("to_device");
}

const Call* value_producer(const Tensor* tensor)
{
  // Each step goes to an earlier call, so this ends.
  while (tensor != nullptr && tensor->producer != nullptr) {
    const Call* call = tensor->producer;
    const Tensor* input = keeps_values(*call) ? call->input() : nullptr;
    if (input == nullptr || input == tensor) {
      return call;
    }
    tensor = input;
  }
  return nullptr;
}

std::optional<std::string> indentation(const Program& program, Span span)
{
  const std::string_view before = program.text({span.file, 0, span.begin});
  const std::string_view margin = before.substr(before.rfind('\n') + 1);
  if (margin.find_first_not_of(" \t") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(margin);
}

std::string written(const Program& program, const Call& call)
{
  std::string_view text = program.text(call.callee);
  if (call.layer != nullptr && call.layer->made_by != nullptr) {
    text = program.text(call.layer->made_by->callee);
  }
  if (text.empty() || text.size() > 60 || text.find('\n') != std::string_view::npos) {
    return std::string(call.op());
  }
  return std::string(text);
}

} // namespace faultline::rules
