#include "program/record/syntax_query.hpp"
#include "rules/reporter.hpp"
#include "rules/values.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::rules {

using program::as;
using program::Syntax;
using program::SyntaxKind;

namespace {

// A place where windows of a series are kept.
struct Windows {
  const Syntax* cut = nullptr; // series[i:i + n]
  Span kept;                  // `list.append(…)`, the row that is assigned to, or the list itself
  std::string_view name = {}; // of a list that is assigned as a whole; empty otherwise
  Span statement = {};        // that assigns it
  Span function = {};         // in which it has that name
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words)
{
  return std::ranges::find(words, word) != words.end();
}

// `for i in range(a)` or `range(a, b)`, a loop or a clause: every number, so that windows of
// several items overlap.
bool counts(const Syntax& loop)
{
  const Syntax* iterable = loop.child(1);
  return is(loop.child(0), SyntaxKind::name) && is(iterable, SyntaxKind::call) &&
         is_name(iterable->child(0), "range") && iterable->children.size() <= 3;
}

// `counter + n` with n of 2 or more, or not written as a number; `sign` may be another.
bool is_shifted(const Syntax* node, std::string_view counter, std::string_view sign)
{
  const bool shifts =
      is(node, SyntaxKind::binary) && node->text == sign && is_name(node->child(0), counter);
  const Syntax* width = shifts ? node->child(1) : nullptr;
  return width != nullptr && (width->kind != SyntaxKind::integer || width->integer > 1);
}

// `[i:i + n]` or `[i - n:i]`.
bool is_window(const Syntax* node, std::string_view counter)
{
  return is(node, SyntaxKind::slice) &&
         ((is_name(node->child(0), counter) && is_shifted(node->child(1), counter, "+")) ||
          (is_shifted(node->child(0), counter, "-") && is_name(node->child(1), counter)));
}

// Calls that make an array or a list of what they are given, and methods that keep all values.
bool keeps_all(std::string_view name)
{
  return is_one_of(name,
                   {"array",      "asarray", "tensor",    "as_tensor", "Tensor",   "FloatTensor",
                    "from_numpy", "list",    "tuple",     "copy",      "deepcopy", "clone",
                    "tolist",     "numpy",   "to_numpy",  "astype",    "float",    "double",
                    "long",       "to",      "reshape",   "view",      "flatten",  "ravel",
                    "unsqueeze",  "squeeze", "transpose", "values",    "T"});
}

// The window that an element is: the slice itself, an array made of it, or a tuple that has it
// beside the value to predict. A sum or a mean of a window is none.
const Syntax* window_of(const Syntax* element, std::string_view counter, const Syntax* body)
{
  if (element == nullptr) {
    return nullptr;
  }
  switch (element->kind) {
  case SyntaxKind::subscript:
    return std::ranges::any_of(element->children,
                               [&](const Syntax* part) { return is_window(part, counter); })
               ? element
               : window_of(element->child(0), counter, body);
  case SyntaxKind::attribute:
    return keeps_all(element->text) ? window_of(element->child(0), counter, body) : nullptr;
  case SyntaxKind::call: {
    if (!keeps_all(called_name(element))) {
      return nullptr;
    }
    const Syntax* callee = element->child(0);
    const Syntax* found =
        is(callee, SyntaxKind::attribute) ? window_of(callee, counter, body) : nullptr;
    return found != nullptr ? found : window_of(element->child(1), counter, body);
  }
  case SyntaxKind::tuple:
  case SyntaxKind::list:
  case SyntaxKind::dict:
  case SyntaxKind::pair:
    for (const Syntax* child : element->children) {
      if (const Syntax* found = window_of(child, counter, body)) {
        return found;
      }
    }
    return nullptr;
  case SyntaxKind::name: // window = series[i:i + n]
    return window_of(assigned_in(body, element->text), counter, nullptr);
  default:
    return nullptr;
  }
}

// Windows that a loop appends to a list or assigns to a row.
void collect_kept(const Syntax& loop, std::vector<Windows>& windows)
{
  const Syntax* body = loop.child(2);
  for_each_syntax(body, [&](const Syntax& node) {
    const Syntax* kept = node.child(0);
    const bool appends = called_name(&node) == "append" && is(kept, SyntaxKind::attribute);
    const bool fills = node.kind == SyntaxKind::assign && is(kept, SyntaxKind::subscript);
    if (appends || fills) {
      if (const Syntax* cut = window_of(node.child(1), loop.child(0)->text, body)) {
        windows.push_back({.cut = cut, .kept = appends ? node.span : kept->span});
      }
    }
  });
}

// The window of a list of them: `[series[i:i + n] for i in range(…)]`.
const Syntax* window_of_list(const Syntax* node)
{
  const Syntax* clause = is(node, SyntaxKind::list_comprehension) ? node->child(1) : nullptr;
  return is(clause, SyntaxKind::for_clause) && counts(*clause)
             ? window_of(node->child(0), clause->child(0)->text, nullptr)
             : nullptr;
}

// What cuts a series into overlapping windows here.
void collect_windows(const Syntax& node, const Syntax& function, std::vector<Windows>& windows)
{
  if (node.kind == SyntaxKind::for_ && counts(node)) {
    collect_kept(node, windows);
  }
  if (const Syntax* cut = window_of_list(&node)) {
    windows.push_back({.cut = cut, .kept = node.span});
  }
  if (node.kind == SyntaxKind::assign) {
    if (const Syntax* cut = window_of_list(node.child(1))) {
      const bool is_named = is(node.child(0), SyntaxKind::name);
      windows.push_back({.cut = cut,
                         .kept = node.child(1)->span,
                         .name = is_named ? node.child(0)->text : std::string_view(),
                         .statement = node.span,
                         .function = function.span});
    }
  }
}

// Windows, and the lists and arrays that hold them, with the place where they are cut.
using Holders = std::map<Ref, const Syntax*>;

void collect_holders(const Program& program, const Windows& windows, Holders& holders)
{
  const auto add = [&](Ref value) {
    if (as<program::Sequence>(value) != nullptr || as<Tensor>(value) != nullptr) {
      holders.emplace(value, windows.cut);
    }
  };
  const auto add_argument = [&](const program::Argument& argument) {
    // A list is not remembered by the place that made it, so it is known where it is used next.
    const bool is_named = !windows.name.empty() && windows.function.contains(argument.span) &&
                          windows.statement.end <= argument.span.begin &&
                          program.text(argument.span) == windows.name;
    if (argument.span == windows.kept || is_named) {
      add(argument.value);
    }
  };
  for (const Call& call : program.calls()) {
    if (call.span == windows.kept && call.name == "builtins.list.append") {
      add(call.self);
    } else if (call.span == windows.kept && call.name == "operator.setitem") {
      add(call.arg("a"));
    } else if (call.span == windows.cut->span && call.name == "operator.getitem") {
      add(call.result);
    }
    std::ranges::for_each(call.arguments, add_argument);
    std::ranges::for_each(call.surplus, add_argument);
  }
  for (const program::Store& store : program.stores()) {
    if (!windows.statement.empty() && windows.statement.contains(store.span)) {
      add(store.value);
    }
  }
}

// What a value was made of, as long as each sample stays what it is.
std::vector<Ref> parts_of(Ref value)
{
  std::vector<Ref> parts;
  const auto add_arguments = [&parts](const Call& call) {
    for (const program::Argument& argument : call.arguments) {
      parts.push_back(argument.value);
    }
    for (const program::Argument& argument : call.surplus) {
      parts.push_back(argument.value);
    }
  };
  if (const auto* tensor = as<Tensor>(value)) {
    const Call* call = tensor->producer;
    if (call != nullptr && !call->has(program::k_reduction) && !call->has(program::k_learning)) {
      parts.push_back(as<Tensor>(call->self));
      add_arguments(*call);
    }
    parts.push_back(tensor->literal);
  } else if (const auto* sequence = as<program::Sequence>(value)) {
    parts = sequence->items;
    parts.push_back(sequence->rest);
  } else if (const auto* dict = as<program::Dict>(value)) {
    for (const auto& [key, held] : dict->items) {
      parts.push_back(held);
    }
  } else if (const auto* choice = as<program::Choice>(value)) {
    parts = choice->options;
  } else if (const auto* object = as<Instance>(value)) {
    parts = object->items;
    for (const auto& [name, held] : object->attributes) {
      parts.push_back(held);
    }
    if (object->made_by != nullptr) {
      add_arguments(*object->made_by);
    }
  }
  return parts;
}

// Where the windows that `value` is made of are cut; null if it is made of none.
const Syntax* windows_in(Ref value, const Holders& holders)
{
  constexpr size_t k_most = 2000;
  std::vector<Ref> waiting = {value};
  std::set<Ref> seen;
  while (!waiting.empty() && seen.size() < k_most) {
    const Ref one = waiting.back();
    waiting.pop_back();
    if (one == nullptr || !seen.insert(one).second) {
      continue;
    }
    if (const auto found = holders.find(one); found != holders.end()) {
      return found->second;
    }
    const std::vector<Ref> parts = parts_of(one);
    waiting.insert(waiting.end(), parts.begin(), parts.end());
  }
  return nullptr;
}

bool splits_at_random(const Call& call)
{
  return (call.is("train_test_split") && bool_of(call.arg("shuffle")) != false) ||
         call.name == "torch.utils.data.random_split";
}

void check_split(const Call& call, const Holders& holders, Reporter& report)
{
  std::vector<program::Argument> given = call.arguments;
  given.insert(given.end(), call.surplus.begin(), call.surplus.end());
  for (const program::Argument& argument : given) {
    if (const Syntax* cut = windows_in(argument.value, holders)) {
      report.add(call.span, "overlapping windows of a series are split at random")
          .label("most windows for testing have neighbours for training that share their values")
          .note(cut->span, "the windows are cut here")
          .help("split the series by time first, then cut each part into windows; or "
                "`shuffle=False`");
      return;
    }
  }
}

void check(const Program& program, Reporter& report)
{
  std::vector<Windows> windows;
  for_each_syntax(program, [&windows](const Syntax& node, const Syntax& function) {
    collect_windows(node, function, windows);
  });
  Holders holders;
  for (const Windows& one : windows) {
    collect_holders(program, one, holders);
  }
  if (holders.empty()) {
    return;
  }
  for (const Call& call : program.calls()) {
    if (splits_at_random(call)) {
      check_split(call, holders, report);
    }
  }
}

} // namespace

extern const Rule windows_split_at_random{
    .name = "windows-split-at-random",
    .summary = "Finds overlapping windows of a series that are split at random",
    .applies = "any",
    .type = "training/validation-testing/incorrect-train-test-data-split",
    .fix_pattern = "data-wrangling",
    .severity = Severity::warning,
    .confidence = Confidence::medium,
    .check = check,
};

} // namespace faultline::rules
