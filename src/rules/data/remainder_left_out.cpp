#include "program/record/syntax_query.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

namespace faultline::rules {

using program::as;
using program::Syntax;
using program::SyntaxKind;

namespace {

// for i in range(total // size): …
struct Loop {
  const Syntax* statement = nullptr;
  std::string_view counter;
  const Syntax* division = nullptr;
  std::string_view total, size; // as written
};

// The division behind the bound of a loop: written there, or in an assignment of the same block.
const Syntax* floor_division(const Syntax* bound, const Syntax& block)
{
  const Syntax* value = is(bound, SyntaxKind::name) ? assigned_in(&block, bound->text) : bound;
  const bool divides = is(value, SyntaxKind::binary) && value->text == "//";
  return divides && value->children.size() == 2 ? value : nullptr;
}

std::optional<Loop> loop_of(const Program& program, const Syntax& statement, const Syntax& block)
{
  const Syntax* range = statement.kind == SyntaxKind::for_ ? statement.child(1) : nullptr;
  if (!is(range, SyntaxKind::call) || range->children.size() != 2 || range->child(0) == nullptr ||
      range->child(0)->text != "range" || !is(statement.child(0), SyntaxKind::name)) {
    return std::nullopt;
  }
  const Syntax* division = floor_division(range->child(1), block);
  if (division == nullptr || division->child(0) == nullptr || division->child(1) == nullptr) {
    return std::nullopt;
  }
  return Loop{&statement,
              statement.child(0)->text,
              division,
              program.text(division->child(0)->span),
              program.text(division->child(1)->span)};
}

// A slice that begins at counter * size.
bool is_batch(const Program& program, const Syntax& node, const Loop& loop)
{
  const Syntax* from = node.kind == SyntaxKind::slice ? node.child(0) : nullptr;
  if (!is(from, SyntaxKind::binary) || from->text != "*" || from->child(0) == nullptr ||
      from->child(1) == nullptr) {
    return false;
  }
  const std::string_view a = program.text(from->child(0)->span);
  const std::string_view b = program.text(from->child(1)->span);
  return (a == loop.counter && b == loop.size) || (b == loop.counter && a == loop.size);
}

// A division by the number of all samples.
bool is_mean(const Program& program, const Syntax& node, const Loop& loop)
{
  return (node.kind == SyntaxKind::binary || node.kind == SyntaxKind::augment) &&
         node.text == "/" && node.child(1) != nullptr &&
         program.text(node.child(1)->span) == loop.total;
}

// The number that `read` gives for every call at a place; nothing if they differ.
template <typename Read>
std::optional<int64_t> common(const Program& program, Span span, const Read& read)
{
  std::optional<int64_t> known;
  for (const Call& call : program.calls()) {
    if (call.span == span) {
      const std::optional<int64_t> number = read(call);
      if (!number || known.value_or(*number) != *number) {
        return std::nullopt;
      }
      known = number;
    }
  }
  return known;
}

// What the interpreter knows of an expression in a function: numbers, sizes of arrays, and names
// that are given one value only.
class Numbers {
public:
  Numbers(const Program& program, const Syntax& function)
      : m_program(program), m_root(program.units()[function.span.file]->syntax->root()),
        m_function(function)
  {
  }

  std::optional<int64_t> of(const Syntax* node, size_t depth = 0) const
  {
    constexpr size_t k_deepest = 16; // a name may be assigned from itself
    if (node == nullptr || depth > k_deepest) {
      return std::nullopt;
    }
    switch (node->kind) {
    case SyntaxKind::integer:
      return node->integer;
    case SyntaxKind::name:
      return of_name(node->text, depth);
    case SyntaxKind::binary:
      return of_binary(*node, depth);
    case SyntaxKind::call:
      return of_call(node->span);
    case SyntaxKind::subscript:
      return of_size(*node);
    default:
      return std::nullopt;
    }
  }

private:
  std::optional<int64_t> of_binary(const Syntax& node, size_t depth) const
  {
    const std::optional<int64_t> a = of(node.child(0), depth + 1);
    const std::optional<int64_t> b = of(node.child(1), depth + 1);
    constexpr int64_t k_largest = int64_t{1} << 31;
    if (!a || !b || *a < 0 || *b < 0 || *a > k_largest || *b > k_largest) {
      return std::nullopt;
    }
    return node.text == "*"              ? std::optional(*a * *b)
           : node.text == "+"            ? std::optional(*a + *b)
           : node.text == "//" && *b > 0 ? std::optional(*a / *b)
                                         : std::nullopt;
  }

  // len(x), x.size(0)
  std::optional<int64_t> of_call(Span span) const
  {
    return common(m_program, span, [](const Call& call) { return int_of(call.result); });
  }

  // x.shape[0]
  std::optional<int64_t> of_size(const Syntax& node) const
  {
    const Syntax* object = node.child(0);
    const Syntax* index = node.child(1);
    if (!is(object, SyntaxKind::attribute) || object->text != "shape" ||
        !is(index, SyntaxKind::integer)) {
      return std::nullopt;
    }
    return common(m_program, object->span, [index](const Call& call) {
      const auto* sizes = as<program::Sequence>(call.result);
      const auto at = static_cast<size_t>(index->integer);
      const bool is_there = sizes != nullptr && at < sizes->items.size();
      return is_there ? int_of(sizes->items[at]) : std::nullopt;
    });
  }

  std::optional<int64_t> of_name(std::string_view name, size_t depth) const
  {
    for (const Syntax* scope : {&m_function, &m_root}) {
      std::vector<const Syntax*> values;
      collect_values(scope, name, values, true);
      if (!values.empty()) {
        return values.size() == 1 ? of(values.front(), depth + 1) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  // All that a name may be in a scope: assignments, the default of a parameter. Null for what is
  // not looked at, such as the target of a loop.
  static void collect_values(const Syntax* node,
                             std::string_view name,
                             std::vector<const Syntax*>& values,
                             bool is_scope = false)
  {
    if (node == nullptr) {
      return;
    }
    const bool is_inner = node->kind == SyntaxKind::function || node->kind == SyntaxKind::class_;
    if (is_inner && !is_scope) {
      return;
    }
    const Syntax* target = node->child(0);
    const bool sets = node->kind == SyntaxKind::assign || node->kind == SyntaxKind::augment ||
                      node->kind == SyntaxKind::for_ || node->kind == SyntaxKind::annotate;
    if (sets && mentions(target, name)) {
      const bool is_plain = node->kind == SyntaxKind::assign && target->kind == SyntaxKind::name;
      if (is_plain || target->kind == SyntaxKind::name || target->kind == SyntaxKind::tuple) {
        values.push_back(is_plain ? node->child(1) : nullptr);
      }
    }
    if (node->kind == SyntaxKind::parameter && node->text == name) {
      values.push_back(node->child(0));
    }
    for (const Syntax* child : node->children) {
      collect_values(child, name, values);
    }
  }

  const Program& m_program;
  const Syntax& m_root;
  const Syntax& m_function;
};

// Nothing is left out if the batches are known to come out even.
bool comes_out_even(const Program& program, const Loop& loop, const Numbers& numbers)
{
  const std::optional<int64_t> total = numbers.of(loop.division->child(0));
  const std::optional<int64_t> size = numbers.of(loop.division->child(1));
  const std::optional<int64_t> rounds =
      common(program, loop.statement->child(1)->span, [](const Call& range) {
        return int_of(range.arg("start")); // the only argument
      });
  if (!total) {
    return false;
  }
  // The size may be the default of a parameter, and another one be in use.
  if (size && *size > 0 && *total / *size == rounds.value_or(*total / *size)) {
    return *total % *size == 0;
  }
  return rounds && *rounds > 0 && *total % *rounds == 0;
}

void check_block(const Program& program,
                 const Syntax& block,
                 const Numbers& numbers,
                 Reporter& report)
{
  for (size_t i = 0; i < block.children.size(); ++i) {
    const std::optional<Loop> loop =
        block.child(i) != nullptr ? loop_of(program, *block.child(i), block) : std::nullopt;
    if (!loop) {
      continue;
    }
    const auto batches = [&](const Syntax& node) { return is_batch(program, node, *loop); };
    const auto averages = [&](const Syntax& node) { return is_mean(program, node, *loop); };
    if (!contains(loop->statement->child(2), batches) || comes_out_even(program, *loop, numbers)) {
      continue;
    }
    for (size_t k = i + 1; k < block.children.size(); ++k) {
      if (const Syntax* mean = find_syntax(block.child(k), averages)) {
        report.add(loop->division->span, "the last samples are left out, but counted")
            .label(format("`{}` rounds down", program.text(loop->division->span)))
            .note(mean->span, "divides by the number of all samples")
            .help(format("go through all of them: `range(0, {}, {})`", loop->total, loop->size));
        break;
      }
    }
  }
}

void check(const Program& program, Reporter& report)
{
  for_each_syntax(program, [&](const Syntax& node, const Syntax& function) {
    if (node.kind == SyntaxKind::block) {
      check_block(program, node, Numbers(program, function), report);
    }
  });
}

} // namespace

extern const Rule remainder_left_out{
    .name = "remainder-left-out",
    .summary = "Finds means over all samples that leave out the last ones",
    .applies = "any",
    .type = "training/validation-testing/wrong-performance-metric",
    .fix_pattern = "accuracy-metric",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
