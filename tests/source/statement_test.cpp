#include "source/statement.hpp"

#include <gtest/gtest.h>
#include <tree_sitter/api.h>

extern "C" {
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_cpp();
}

namespace faultline::source {

static void check_kinds(Language language, const TSLanguage* grammar)
{
  for (const std::string_view kind : statement_kinds(language)) {
    const auto length = static_cast<uint32_t>(kind.size());
    EXPECT_NE(ts_language_symbol_for_name(grammar, kind.data(), length, true), 0)
        << kind << " is no kind of " << name_of(language);
  }
}

TEST(Statement, KindsAreThoseOfTheGrammar)
{
  check_kinds(Language::python, tree_sitter_python());
  check_kinds(Language::javascript, tree_sitter_javascript());
  check_kinds(Language::cpp, tree_sitter_cpp());
}

TEST(Statement, IsNoBlockAndNoExpression)
{
  EXPECT_TRUE(is_statement("if_statement", Language::python));
  EXPECT_TRUE(is_statement("for_range_loop", Language::cpp));
  EXPECT_FALSE(is_statement("block", Language::python));
  EXPECT_FALSE(is_statement("call", Language::python));
  EXPECT_FALSE(is_statement("statement_block", Language::javascript));
  EXPECT_FALSE(is_statement("compound_statement", Language::cpp));
}

} // namespace faultline::source
