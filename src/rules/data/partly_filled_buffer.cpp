#include "program/record/syntax_query.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Syntax;
using program::SyntaxKind;

namespace {

// `buffer[:n] = …` or `buffer[:len(rows)] = …`: how much is filled depends on this round's data.
struct Fill {
  const Syntax* statement = nullptr;
  std::string_view buffer;
  const Syntax* count = nullptr;
};

std::optional<Fill> fill_of(const Syntax& statement)
{
  const Syntax* target = statement.kind == SyntaxKind::assign ? statement.child(0) : nullptr;
  if (!is(target, SyntaxKind::subscript) || target->children.size() != 2 ||
      !is(target->child(0), SyntaxKind::name)) {
    return std::nullopt;
  }
  const Syntax* part = target->child(1);
  const bool from_start =
      is(part, SyntaxKind::slice) &&
      (part->child(0) == nullptr ||
       (part->child(0)->kind == SyntaxKind::integer && part->child(0)->integer == 0));
  const Syntax* count = from_start ? part->child(1) : nullptr;
  if (!is(count, SyntaxKind::name) && called_name(count) != "len") {
    return std::nullopt;
  }
  return Fill{&statement, target->child(0)->text, count};
}

// The buffer is made anew, or all of it is set: `buffer = …`, `buffer[:] = …`, `buffer.fill(0)`,
// `buffer[n:] = 0`.
bool is_reset(const Syntax& node, std::string_view buffer)
{
  if (node.kind == SyntaxKind::assign) {
    const Syntax* target = node.child(0);
    const bool is_part = is(target, SyntaxKind::subscript) && is_name(target->child(0), buffer);
    const Syntax* part = is_part ? target->child(1) : nullptr;
    const bool is_tail =
        is(part, SyntaxKind::slice) && (part->child(1) == nullptr || part->child(0) != nullptr);
    return is_name(target, buffer) || is_tail;
  }
  const std::string_view called = called_name(&node);
  return (called == "fill" || called == "fill_" || called == "zero_") &&
         is(node.child(0), SyntaxKind::attribute) && is_name(node.child(0)->child(0), buffer);
}

// Calls that look at a buffer but do nothing with its rows.
bool only_looks(const Syntax* call)
{
  constexpr std::string_view k_names[] = {"len",
                                          "print",
                                          "type",
                                          "id",
                                          "isinstance",
                                          "repr",
                                          "str",
                                          "shape",
                                          "zeros_like",
                                          "empty_like",
                                          "ones_like",
                                          "debug",
                                          "info",
                                          "numel",
                                          "getsizeof"};
  return std::ranges::find(k_names, called_name(call)) != std::end(k_names);
}

// The number of filled rows: `n`, or `len(rows)` with its name `rows`.
bool tells_count(const Syntax* node, const Fill& fill)
{
  const Syntax* name = fill.count->kind == SyntaxKind::call ? fill.count->child(1) : fill.count;
  return is(name, SyntaxKind::name) && mentions(node, name->text);
}

// `if n == len(buffer): …`: what is done below knows how many rows there are.
bool asks_for_count(const Syntax* node, const Fill& fill)
{
  return (is(node, SyntaxKind::if_) && tells_count(node->child(0), fill)) ||
         (is(node, SyntaxKind::conditional) && tells_count(node->child(1), fill));
}

bool leaves_round(const Syntax& node)
{
  return node.kind == SyntaxKind::break_ || node.kind == SyntaxKind::continue_ ||
         node.kind == SyntaxKind::return_ || node.kind == SyntaxKind::raise_;
}

// The whole buffer is handed on: an argument of a call, or yielded, as it is. Null if a part of it
// is taken, or the number of filled rows goes with it.
const Syntax* whole_use(const Syntax* node, const Fill& fill)
{
  if (node == nullptr || node->kind == SyntaxKind::subscript || asks_for_count(node, fill)) {
    return nullptr;
  }
  const bool hands_on = (node->kind == SyntaxKind::call && !only_looks(node)) ||
                        node->kind == SyntaxKind::yield_ || node->kind == SyntaxKind::tuple;
  if (hands_on) {
    if (fill.count->kind == SyntaxKind::name && tells_count(node, fill)) {
      return nullptr;
    }
    const size_t first = node->kind == SyntaxKind::call ? 1 : 0;
    for (size_t i = first; i < node->children.size(); ++i) {
      if (is_name(node->child(i), fill.buffer)) {
        return node->child(i);
      }
    }
  }
  for (const Syntax* child : node->children) {
    if (const Syntax* found = whole_use(child, fill)) {
      return found;
    }
  }
  return nullptr;
}

// A round makes the buffer anew, or is left if it does not fill it.
bool is_kept_clean(const Syntax& body, const Fill& fill)
{
  const auto resets = [&fill](const Syntax& node) { return is_reset(node, fill.buffer); };
  return std::ranges::any_of(body.children, [&](const Syntax* statement) {
    return (statement != fill.statement && contains(statement, resets)) ||
           (asks_for_count(statement, fill) && contains(statement, leaves_round));
  });
}

void check_loop(const Syntax& body, Reporter& report)
{
  for (size_t i = 0; i < body.children.size(); ++i) {
    const std::optional<Fill> fill =
        body.child(i) != nullptr ? fill_of(*body.child(i)) : std::nullopt;
    if (!fill || is_kept_clean(body, *fill)) {
      continue;
    }
    for (size_t k = i + 1; k < body.children.size(); ++k) {
      if (const Syntax* use = whole_use(body.child(k), *fill)) {
        report.add(use->span, "the whole buffer is used, though only a part of it is new")
            .label("after the new rows come those of the previous round")
            .note(fill->statement->span, "fills the first rows")
            .help("use the rows that are new, `buffer[:n]`");
        break;
      }
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for_each_syntax(program, [&report](const Syntax& node) {
    const Syntax* body = node.kind == SyntaxKind::for_     ? node.child(2)
                         : node.kind == SyntaxKind::while_ ? node.child(1)
                                                           : nullptr;
    if (body != nullptr) {
      check_loop(*body, report);
    }
  });
}

} // namespace

extern const Rule partly_filled_buffer{
    .name = "partly-filled-buffer",
    .summary = "Finds buffers that are filled in part in a loop and used as a whole",
    .applies = "any",
    .type = "training/hyperparameters/wrongly-implemented-data-batching",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
