#include "rules/facts.hpp"
#include "rules/reporter.hpp"

#include <algorithm>

namespace faultline::rules {

using program::Syntax;
using program::SyntaxKind;

namespace {

bool is_name(const Syntax* node, std::string_view name)
{
  return node != nullptr && node->kind == SyntaxKind::name && node->text == name;
}

bool mentions(const Syntax* node, std::string_view name)
{
  return node != nullptr &&
         (is_name(node, name) || std::ranges::any_of(node->children, [name](const Syntax* child) {
            return mentions(child, name);
          }));
}

// `buffer[:n] = …` with an `n` that is no number: how much is filled depends on the data.
struct Fill {
  const Syntax* statement = nullptr;
  std::string_view buffer;
  const Syntax* count = nullptr;
};

std::optional<Fill> fill_of(const Syntax& statement)
{
  const Syntax* target = statement.kind == SyntaxKind::assign ? statement.child(0) : nullptr;
  if (target == nullptr || target->kind != SyntaxKind::subscript || target->children.size() != 2 ||
      target->child(0) == nullptr || target->child(0)->kind != SyntaxKind::name) {
    return std::nullopt;
  }
  const Syntax* part = target->child(1);
  const bool from_start =
      part != nullptr && part->kind == SyntaxKind::slice &&
      (part->child(0) == nullptr ||
       (part->child(0)->kind == SyntaxKind::integer && part->child(0)->integer == 0));
  const Syntax* count = from_start ? part->child(1) : nullptr;
  if (count == nullptr || count->kind == SyntaxKind::integer || count->kind == SyntaxKind::unary) {
    return std::nullopt;
  }
  return Fill{&statement, target->child(0)->text, count};
}

// The buffer is made anew, or all of it is set: `buffer = …`, `buffer[:] = …`, `buffer.fill(0)`,
// `buffer[n:] = 0`.
bool is_reset(const Syntax* node, std::string_view buffer)
{
  if (node == nullptr) {
    return false;
  }
  if (node->kind == SyntaxKind::assign) {
    const Syntax* target = node->child(0);
    const Syntax* part = target != nullptr && target->kind == SyntaxKind::subscript &&
                                 is_name(target->child(0), buffer)
                             ? target->child(1)
                             : nullptr;
    const bool is_tail = part != nullptr && part->kind == SyntaxKind::slice &&
                         (part->child(1) == nullptr || part->child(0) != nullptr);
    if (is_name(target, buffer) || is_tail) {
      return true;
    }
  }
  const Syntax* callee = node->kind == SyntaxKind::call ? node->child(0) : nullptr;
  if (callee != nullptr && callee->kind == SyntaxKind::attribute &&
      is_name(callee->child(0), buffer) &&
      (callee->text == "fill" || callee->text == "fill_" || callee->text == "zero_")) {
    return true;
  }
  return std::ranges::any_of(node->children,
                             [buffer](const Syntax* child) { return is_reset(child, buffer); });
}

// The name of what is called: `len`, `shape` of `np.shape`; empty if it has none.
std::string_view called_name(const Syntax& call)
{
  const Syntax* callee = call.kind == SyntaxKind::call ? call.child(0) : nullptr;
  const bool is_named = callee != nullptr &&
                        (callee->kind == SyntaxKind::name || callee->kind == SyntaxKind::attribute);
  return is_named ? callee->text : std::string_view();
}

// Calls that look at a buffer but do nothing with its rows.
bool only_looks(const Syntax& call)
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
  return name != nullptr && name->kind == SyntaxKind::name && mentions(node, name->text);
}

// `if n == len(buffer): …`: what is done below knows how many rows there are.
bool asks_for_count(const Syntax* node, const Fill& fill)
{
  const bool is_choice =
      node != nullptr && (node->kind == SyntaxKind::if_ || node->kind == SyntaxKind::conditional);
  const size_t condition = is_choice && node->kind == SyntaxKind::if_ ? 0 : 1;
  return is_choice && tells_count(node->child(condition), fill);
}

bool leaves_round(const Syntax* node)
{
  return node != nullptr &&
         (node->kind == SyntaxKind::break_ || node->kind == SyntaxKind::continue_ ||
          node->kind == SyntaxKind::return_ || node->kind == SyntaxKind::raise_ ||
          std::ranges::any_of(node->children, leaves_round));
}

// The whole buffer is handed on: an argument of a call, or yielded, as it is. Null if a part of it
// is taken, or the number of filled rows goes with it.
const Syntax* whole_use(const Syntax* node, const Fill& fill)
{
  if (node == nullptr || node->kind == SyntaxKind::subscript || asks_for_count(node, fill)) {
    return nullptr;
  }
  const bool hands_on = (node->kind == SyntaxKind::call && !only_looks(*node)) ||
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

bool measures(const Syntax* node)
{
  return node != nullptr && called_name(*node) == "len";
}

void check_loop(const Syntax& body, Reporter& report)
{
  for (size_t i = 0; i < body.children.size(); ++i) {
    const std::optional<Fill> fill =
        body.child(i) != nullptr ? fill_of(*body.child(i)) : std::nullopt;
    // How many there are must depend on this round's data: a name, or len() of something.
    if (!fill || (fill->count->kind != SyntaxKind::name && !measures(fill->count)) ||
        std::ranges::any_of(body.children, [&fill](const Syntax* statement) {
          // Made anew, or a round that does not fill it is left.
          return (statement != fill->statement && is_reset(statement, fill->buffer)) ||
                 (asks_for_count(statement, *fill) && leaves_round(statement));
        })) {
      continue;
    }
    for (size_t k = i + 1; k < body.children.size(); ++k) {
      if (const Syntax* use = whole_use(body.child(k), *fill)) {
        report.add(use->span, "the whole buffer is used, though only a part of it is new")
            .label("behind the new rows are those of the round before")
            .note(fill->statement->span, "fills the first rows")
            .help("use the rows that are new, `buffer[:n]`");
        break;
      }
    }
  }
}

void check_all(const Syntax* node, Reporter& report)
{
  if (node == nullptr) {
    return;
  }
  const Syntax* body = node->kind == SyntaxKind::for_     ? node->child(2)
                       : node->kind == SyntaxKind::while_ ? node->child(1)
                                                          : nullptr;
  if (body != nullptr) {
    check_loop(*body, report);
  }
  for (const Syntax* child : node->children) {
    check_all(child, report);
  }
}

void check(const Program& program, Reporter& report)
{
  for (const auto& unit : program.units()) {
    if (unit->syntax != nullptr) {
      check_all(&unit->syntax->root(), report);
    }
  }
}

} // namespace

extern const Rule partly_filled_buffer{
    .name = "partly-filled-buffer",
    .summary = "Finds buffers that are filled in part in a loop and used as a whole",
    .applies = "any",
    .leaf = "H06",
    .fix = "DW",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
