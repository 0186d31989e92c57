#include "base/toml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace faultline {

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

using Read = std::function<void(TomlReader&)>;

Result<void> read(std::string_view text, const Read& fields)
{
  FL_TRY(const toml::table table, parse_toml(text, "f.toml"));
  TomlReader in(table, "f.toml");
  fields(in);
  return in.finish();
}

void check(std::string_view text, const Read& fields)
{
  const Result<void> result = read(text, fields);
  EXPECT_TRUE(result) << result.error().line();
}

void check_error(std::string_view text, const Read& fields, const std::string& message)
{
  const Result<void> result = read(text, fields);
  ASSERT_FALSE(result) << "expected: " << message;
  EXPECT_EQ(result.error().kind, ErrorKind::bad_data);
  EXPECT_EQ(result.error().line(), message);
}

// A field of each kind, to be read from text that does not fit it.
const Read k_text = [](TomlReader& in) { in.text("x"); };
const Read k_optional_text = [](TomlReader& in) { in.optional_text("x"); };
const Read k_integer = [](TomlReader& in) { in.integer("x"); };
const Read k_optional_integer = [](TomlReader& in) { in.optional_integer("x"); };
const Read k_number = [](TomlReader& in) { in.number("x"); };
const Read k_optional_number = [](TomlReader& in) { in.optional_number("x"); };
const Read k_flag = [](TomlReader& in) { in.flag("x", false); };
const Read k_texts = [](TomlReader& in) { in.texts("x"); };
const Read k_integers = [](TomlReader& in) { in.integers("x"); };
const Read k_table = [](TomlReader& in) { in.table("x"); };
const Read k_optional_table = [](TomlReader& in) { in.optional_table("x"); };
const Read k_tables = [](TomlReader& in) { in.tables("x"); };

} // namespace

TEST(Toml, ReadsEveryKindOfField)
{
  check("text = 'a'\n"
        "integer = 3\n"
        "number = 0.5\n"
        "whole = 2\n"
        "flag = true\n"
        "texts = ['a', 'b']\n"
        "integers = [1, -2]\n"
        "[table]\n"
        "inner = 'x'\n"
        "[[list]]\n"
        "n = 1\n"
        "[[list]]\n"
        "n = 2\n",
        [](TomlReader& in) {
          EXPECT_EQ(in.text("text"), "a");
          EXPECT_EQ(in.integer("integer"), 3);
          EXPECT_EQ(in.number("number"), 0.5);
          EXPECT_EQ(in.number("whole"), 2.0);
          EXPECT_TRUE(in.flag("flag", false));
          EXPECT_THAT(in.texts("texts"), ElementsAre("a", "b"));
          EXPECT_THAT(in.integers("integers"), ElementsAre(1, -2));
          EXPECT_EQ(in.table("table").text("inner"), "x");
          std::vector<TomlReader> list = in.tables("list");
          ASSERT_EQ(list.size(), 2);
          EXPECT_EQ(list[0].integer("n"), 1);
          EXPECT_EQ(list[1].integer("n"), 2);
        });
}

TEST(Toml, WhatIsOptionalMayBeAbsent)
{
  check("", [](TomlReader& in) {
    EXPECT_EQ(in.optional_text("a"), std::nullopt);
    EXPECT_EQ(in.optional_integer("b"), std::nullopt);
    EXPECT_EQ(in.optional_number("c"), std::nullopt);
    EXPECT_TRUE(in.flag("d", true));
    EXPECT_FALSE(in.flag("e", false));
    EXPECT_THAT(in.texts("f"), IsEmpty());
    EXPECT_THAT(in.integers("g"), IsEmpty());
    EXPECT_FALSE(in.optional_table("h"));
    EXPECT_THAT(in.tables("i"), IsEmpty());
    EXPECT_FALSE(in.has("a"));
  });
}

TEST(Toml, AMissingKeyIsPlacedWhereItsTableBegins)
{
  check_error("", k_text, "f.toml:1: missing key `x`");
  check_error("", k_integer, "f.toml:1: missing key `x`");
  check_error("", k_number, "f.toml:1: missing key `x`");
  check_error("", k_table, "f.toml:1: missing table `[x]`");
  check_error(
      "\n[t]\n", [](TomlReader& in) { in.table("t").text("x"); }, "f.toml:2: missing key `x`");
  check_error(
      "[[t]]\nx = 'a'\n\n[[t]]\n",
      [](TomlReader& in) {
        for (TomlReader t : in.tables("t")) {
          t.text("x");
        }
      },
      "f.toml:4: missing key `x`");
}

TEST(Toml, AValueOfAnotherTypeIsPlacedAtItsLine)
{
  const std::vector<std::tuple<std::string, Read, std::string>> cases = {
      {"x = 1", k_text, "`x` must be a string"},
      {"x = 1", k_optional_text, "`x` must be a string"},
      {"x = 1.0", k_integer, "`x` must be an integer"},
      {"x = '1'", k_optional_integer, "`x` must be an integer"},
      {"x = '1'", k_number, "`x` must be a number"},
      {"x = true", k_optional_number, "`x` must be a number"},
      {"x = 1", k_flag, "`x` must be true or false"},
      {"x = 'a'", k_texts, "`x` must be a list of strings"},
      {"x = ['a', 1]", k_texts, "`x` must be a list of strings"},
      {"x = 1", k_integers, "`x` must be a list of integers"},
      {"x = [1, 2.5]", k_integers, "`x` must be a list of integers"},
      {"x = [3000000000]", k_integers, "`x` must be a list of integers"},
      {"x = [-3000000000]", k_integers, "`x` must be a list of integers"},
      {"x = 1", k_table, "`x` must be a table"},
      {"x = []", k_optional_table, "`x` must be a table"},
      {"x = {}", k_tables, "`x` must be a list of tables: [[x]]"},
      {"x = [1]", k_tables, "`x` must be a list of tables: [[x]]"},
  };
  for (const auto& [text, fields, why] : cases) {
    check_error("# a comment\n\n" + text, fields, "f.toml:3: " + why);
  }
}

TEST(Toml, AnElementOfALongListIsPlacedAtItsOwnLine)
{
  check_error("x = [\n  'a',\n  2,\n]\n", k_texts, "f.toml:3: `x` must be a list of strings");
  check_error("x = [\n  1,\n  'b',\n]\n", k_integers, "f.toml:3: `x` must be a list of integers");
}

TEST(Toml, ATextMustSaySomething)
{
  check_error("x = ''", k_text, "f.toml:1: `x` is empty");
  check_error("x = '  '", k_text, "f.toml:1: `x` is empty");
}

TEST(Toml, AnOptionalTextMayBeEmpty)
{
  check("x = ''", [](TomlReader& in) { EXPECT_EQ(in.optional_text("x"), ""); });
}

TEST(Toml, AKeyThatNobodyReadIsRefusedWithTheNearestOne)
{
  check_error(
      "title = 'a'\nspilt = 'dev'\n",
      [](TomlReader& in) {
        in.text("title");
        in.optional_text("split");
      },
      "f.toml:2: unknown key `spilt`, did you mean `split`?");
  check_error(
      "title = 'a'\nsomething-else = 1\n",
      [](TomlReader& in) { in.text("title"); },
      "f.toml:2: unknown key `something-else`");
}

TEST(Toml, KeysOfInnerTablesAreCheckedToo)
{
  check_error(
      "[t]\na = 1\n\n[[list]]\nb = 1\nc = 2\n",
      [](TomlReader& in) {
        in.table("t").integer("a");
        for (TomlReader entry : in.tables("list")) {
          entry.integer("b");
        }
      },
      "f.toml:6: unknown key `c`, did you mean `b`?");
}

TEST(Toml, ATableThatNobodyReadIsAnUnknownKey)
{
  check_error(
      "[retierd]\nversion = '1'\n",
      [](TomlReader& in) { in.optional_table("retired"); },
      "f.toml:1: unknown key `retierd`, did you mean `retired`?");
}

TEST(Toml, TheFirstProblemIsTheOneReported)
{
  check_error(
      "a = 1\nb = 2\nc = 3\n",
      [](TomlReader& in) {
        in.text("b");
        in.text("a");
      },
      "f.toml:2: `b` must be a string");
}

TEST(Toml, ReadingGoesOnAfterAProblemWithEmptyValues)
{
  check_error(
      "x = 1",
      [](TomlReader& in) {
        EXPECT_EQ(in.text("x"), "");
        EXPECT_EQ(in.integer("y"), 0);
        EXPECT_EQ(in.number("z"), 0);
        TomlReader table = in.table("t");
        EXPECT_EQ(table.text("deep"), "");
        EXPECT_THAT(table.keys(), IsEmpty());
      },
      "f.toml:1: `x` must be a string");
}

TEST(Toml, AReaderCanRefuseAValueOrATable)
{
  check_error(
      "[t]\nx = 3\n",
      [](TomlReader& in) {
        TomlReader t = in.table("t");
        t.integer("x");
        t.refuse("x", "`x` is odd");
      },
      "f.toml:2: `x` is odd");
  check_error(
      "\n\n[t]\nx = 3\n",
      [](TomlReader& in) {
        TomlReader t = in.table("t");
        t.integer("x");
        t.refuse("y", "`y` should be there");
      },
      "f.toml:3: `y` should be there");
  check_error(
      "\n[t]\n",
      [](TomlReader& in) { in.table("t").refuse("this table is odd"); },
      "f.toml:2: this table is odd");
}

TEST(Toml, AProblemOfAnotherFileKeepsItsOwnPlace)
{
  check_error(
      "x = 3\n",
      [](TomlReader& in) {
        in.integer("x");
        in.fail({ErrorKind::bad_data, "fix.patch:7: hunk does not apply"});
        in.fail({ErrorKind::bad_data, "a second one"});
      },
      "fix.patch:7: hunk does not apply");
}

TEST(Toml, TellsWhereAValueStands)
{
  check("a = 1\n\nb = 2\n", [](TomlReader& in) {
    in.integer("a");
    in.integer("b");
    EXPECT_EQ(in.place("b"), "f.toml:3");
  });
}

TEST(Toml, ListsTheKeysOfATableWhoseKeysAreFree)
{
  check("[packages]\ntorch = '1'\nnumpy = '2'\n", [](TomlReader& in) {
    TomlReader packages = in.table("packages");
    EXPECT_THAT(packages.keys(), testing::UnorderedElementsAre("torch", "numpy"));
    packages.text("torch");
    packages.text("numpy");
  });
}

TEST(Toml, BrokenTomlIsPlacedAtItsLine)
{
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a = 1\nb = \n",
       "2: broken TOML: Error while parsing key-value pair: expected value, saw '\\n'"},
      {"a = 1\na = 2\n",
       "2: broken TOML: Error while parsing key-value pair: cannot redefine existing integer 'a'"},
      {"a = \"x\n",
       "1: broken TOML: Error while parsing string: unescaped control characters other than TAB "
       "(U+0009) are explicitly prohibited"},
      {"\n\n[t\n", "3: broken TOML: Error while parsing table header: expected ']', saw '\\n'"},
      {"a = \"\xFF\"\n", "1: broken TOML: Encountered invalid utf-8 sequence"},
  };
  for (const auto& [text, expected] : cases) {
    const Result<toml::table> table = parse_toml(text, "f.toml");
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().kind, ErrorKind::bad_data);
    EXPECT_EQ(table.error().line(), "f.toml:" + expected);
  }
}

} // namespace faultline
