#include "program/record/syntax_query.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

// `print "x"` and `exec "x"` are statements of Python 2 only. What else is wrong by today's rules
// in such a program may have been right by its own.
static bool is_python_2(const program::SyntaxFile& file)
{
  return program::contains(&file.root(), [](const program::Syntax& node) {
    return node.kind == program::SyntaxKind::print || node.kind == program::SyntaxKind::exec;
  });
}

// The rest of the line that `span` begins in, as far as it belongs to it.
static Span first_line(const Program& program, Span span)
{
  const std::string_view text = program.text(span);
  span.end = span.begin + static_cast<uint32_t>(std::min(text.find('\n'), text.size()));
  return span;
}

static void check(const Program& program, Reporter& report)
{
  const program::SyntaxFile& file = *program.main().syntax;
  if (file.errors().empty() || is_python_2(file)) {
    return;
  }
  // Those behind it are often made by the first.
  const Span error = file.errors().front();
  if (error.begin == error.end) {
    report.add(error, "something is missing here: Python cannot read this");
  } else {
    report.add(first_line(program, error), "Python cannot read this");
  }
}

extern const Rule syntax_error{
    .name = "syntax-error",
    .summary = "Finds programs that are not valid Python",
    .applies = "any",
    .type = FaultType::none(),
    .fix_pattern = FixPattern::none(),
    .severity = Severity::error,
    .confidence = Confidence::high,
    .check = check,
};

} // namespace faultline::rules
