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

void note_loader(Draft& draft, const Tensor& data)
{
  if (data.source != nullptr && data.source->loader != nullptr) {
    draft.note(data.source->loader->span, "loaded here");
  }
}

Span last_character(Span span)
{
  span.begin = span.end - 1;
  return span;
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

// Fits into a message.
static bool is_short(std::string_view text)
{
  return !text.empty() && text.size() <= 60 && text.find('\n') == std::string_view::npos;
}

std::string written(const Program& program, const Call& call)
{
  std::string_view text = program.text(call.callee);
  if (call.layer != nullptr && call.layer->made_by != nullptr) {
    text = program.text(call.layer->made_by->callee);
  }
  if (!is_short(text)) {
    return std::string(call.op());
  }
  return std::string(text);
}

std::optional<std::string> written_loss(const Program& program, const LossUse& use)
{
  if (use.call != nullptr && use.call->span == use.span) {
    return written(program, *use.call);
  }
  const std::string_view text = program.text(use.span);
  return is_short(text) ? std::optional(std::string(text)) : std::nullopt;
}

bool is_categorical(program::LossKind kind)
{
  return kind == program::LossKind::categorical || kind == program::LossKind::sparse_categorical;
}

std::optional<int64_t> output_width(const LossUse& use)
{
  return use.prediction != nullptr ? use.prediction->shape.at(use.class_axis).constant()
                                   : std::nullopt;
}

} // namespace faultline::rules
