#include "source/statement.hpp"

#include "base/result.hpp"

#include <algorithm>

namespace faultline::source {

namespace {

constexpr std::string_view k_python[] = {
    "assert_statement",
    "break_statement",
    "case_clause",
    "class_definition",
    "continue_statement",
    "decorated_definition",
    "delete_statement",
    "elif_clause",
    "else_clause",
    "except_clause",
    "except_group_clause",
    "exec_statement",
    "expression_statement",
    "finally_clause",
    "for_statement",
    "function_definition",
    "future_import_statement",
    "global_statement",
    "if_statement",
    "import_from_statement",
    "import_statement",
    "match_statement",
    "nonlocal_statement",
    "pass_statement",
    "print_statement",
    "raise_statement",
    "return_statement",
    "try_statement",
    "type_alias_statement",
    "while_statement",
    "with_statement",
};

constexpr std::string_view k_javascript[] = {
    "break_statement",
    "catch_clause",
    "class_declaration",
    "class_static_block",
    "continue_statement",
    "debugger_statement",
    "do_statement",
    "else_clause",
    "empty_statement",
    "export_statement",
    "expression_statement",
    "field_definition",
    "finally_clause",
    "for_in_statement",
    "for_statement",
    "function_declaration",
    "generator_function_declaration",
    "if_statement",
    "import_statement",
    "labeled_statement",
    "lexical_declaration",
    "method_definition",
    "return_statement",
    "switch_case",
    "switch_default",
    "switch_statement",
    "throw_statement",
    "try_statement",
    "variable_declaration",
    "while_statement",
    "with_statement",
};

constexpr std::string_view k_cpp[] = {
    "alias_declaration",
    "break_statement",
    "case_statement",
    "catch_clause",
    "class_specifier",
    "co_return_statement",
    "co_yield_statement",
    "concept_definition",
    "continue_statement",
    "declaration",
    "do_statement",
    "else_clause",
    "enum_specifier",
    "expression_statement",
    "field_declaration",
    "for_range_loop",
    "for_statement",
    "friend_declaration",
    "function_definition",
    "goto_statement",
    "if_statement",
    "labeled_statement",
    "linkage_specification",
    "namespace_alias_definition",
    "namespace_definition",
    "preproc_call",
    "preproc_def",
    "preproc_elif",
    "preproc_else",
    "preproc_function_def",
    "preproc_if",
    "preproc_ifdef",
    "preproc_include",
    "return_statement",
    "static_assert_declaration",
    "struct_specifier",
    "switch_statement",
    "template_declaration",
    "template_instantiation",
    "throw_statement",
    "try_statement",
    "type_definition",
    "union_specifier",
    "using_declaration",
    "while_statement",
};

// They are searched by halving.
static_assert(std::ranges::is_sorted(k_python));
static_assert(std::ranges::is_sorted(k_javascript));
static_assert(std::ranges::is_sorted(k_cpp));

} // namespace

std::span<const std::string_view> statement_kinds(Language language)
{
  switch (language) {
  case Language::python:
    return k_python;
  case Language::javascript:
    return k_javascript;
  case Language::cpp:
    return k_cpp;
  }
  FL_ASSERT(false, "every language has statements");
}

bool is_statement(std::string_view kind, Language language)
{
  return std::ranges::binary_search(statement_kinds(language), kind);
}

} // namespace faultline::source
