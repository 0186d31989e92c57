#pragma once

// Python syntax as the interpreter wants it: a compact tree made from tree-sitter's, tolerant of
// broken code (what the parser could not read becomes `broken`) and of Python 2.

#include "program/syntax/span.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

enum class SyntaxKind : uint8_t {
  // Expressions.
  name,
  integer,
  real,
  imaginary,
  string,
  template_string,
  bytes,
  true_,
  false_,
  none,
  ellipsis,
  list,
  tuple,
  set,
  dict,
  pair,
  list_comprehension,
  set_comprehension,
  dict_comprehension,
  generator,
  for_clause,
  if_clause,
  attribute,
  subscript,
  slice,
  call,
  keyword,
  star,
  double_star,
  unary,
  binary,
  compare,
  both,
  either,
  not_,
  conditional,
  lambda,
  parameters,
  parameter,
  await_,
  yield_,
  named,
  // Statements.
  block,
  expression,
  assign,
  augment,
  annotate,
  delete_,
  pass_,
  break_,
  continue_,
  return_,
  raise_,
  assert_,
  global,
  nonlocal,
  import,
  import_from,
  import_name,
  if_,
  for_,
  while_,
  try_,
  handler,
  with,
  with_item,
  function,
  class_,
  decorator,
  print,
  exec,
  match_,
  match_case,
  broken
};

// One node. `children` by kind, a null child is something left out:
//   attribute [object], text = name      subscript [object, index…]     slice [from, to, step]
//   call [callee, argument…]             keyword [value], text = name   unary [x], text = sign
//   binary, compare(first) [a, b, (c…)], text = sign (compare: signs joined by ',')
//   both, either [a, b]                  conditional [then, condition, else]
//   lambda [parameters, body]            parameter [default, annotation], text = name, sign */**
//   comprehension [element, clause…]     for_clause [target, iterable]  if_clause [condition]
//   dict [pair|double_star…]             pair [key, value]
//   template_string [expression…]        string: text = its value, unescaped
//   assign [target, value]               chained targets nest: value is another assign
//   augment [target, value], text = sign without '='
//   import [import_name…]                import_from [import_name…], text = module, level = dots
//   import_name: text = dotted name, alias in `extra`; '*' for all
//   if_ [condition, block, else-block]   for_ [target, iterable, block, else]
//   while_ [condition, block, else]      try_ [block, handler…, else, finally] with `split` =
//   number handler [type, block], text = name   of handlers; with [with_item…, block] with_item
//   [manager, target]          function [parameters, block, decorator…], text = name class_ [block,
//   base…(argument), decorator…], text = name, split = number of bases return_, raise_, yield_,
//   await_, delete_, assert_ [value…]
struct Syntax {
  SyntaxKind kind = SyntaxKind::broken;
  Span span;
  std::string_view text;
  std::string_view extra;
  std::vector<const Syntax*> children;
  uint32_t split = 0;
  uint32_t level = 0;
  double real = 0; // value of a number
  int64_t integer = 0;

  const Syntax* child(size_t n) const { return n < children.size() ? children[n] : nullptr; }
};

// A parsed file. Nodes and strings live as long as it.
class SyntaxFile {
public:
  // Never fails. `max_nesting` bounds the depth of the tree: what lies deeper becomes `broken`.
  SyntaxFile(std::string_view text, uint32_t file, size_t max_nesting);

  const Syntax& root() const { return *m_root; } // a block
  // Where the code is broken, if it is.
  const std::vector<Span>& errors() const { return m_errors; }

private:
  friend class SyntaxBuilder;
  std::deque<Syntax> m_nodes;
  std::deque<std::string> m_strings;
  const Syntax* m_root = nullptr;
  std::vector<Span> m_errors;
};

} // namespace faultline::program
