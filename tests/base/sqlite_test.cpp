#include "base/file.hpp"
#include "base/sqlite.hpp"

#include <gtest/gtest.h>

namespace faultline {

namespace {

Database in_memory()
{
  Result<Database> database = Database::open(":memory:");
  EXPECT_TRUE(database) << database.error().line();
  return *std::move(database);
}

Statement prepared(Database& database, std::string_view sql)
{
  Result<Statement> statement = database.prepare(sql);
  EXPECT_TRUE(statement) << statement.error().line();
  return *std::move(statement);
}

template <typename T> void check_error(const Result<T>& result, const std::string& message)
{
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::io);
  EXPECT_EQ(result.error().line(), message);
}

} // namespace

TEST(Sqlite, GivesBackWhatWasBound)
{
  Database database = in_memory();
  Statement select = prepared(database, "SELECT ?1, ?2, ?3, ?4");
  const std::string text("a\0'\"é", 6);
  select.bind(1, text).bind(2, 9'000'000'000'000LL).bind(3, 0.125).bind_null(4);
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.text(0), text);
  EXPECT_EQ(select.integer(1), 9'000'000'000'000LL);
  EXPECT_EQ(select.number(2), 0.125);
  EXPECT_TRUE(select.is_null(3));
  EXPECT_FALSE(select.is_null(0));
  EXPECT_EQ(select.text(3), "");
  EXPECT_FALSE(*select.step());
}

TEST(Sqlite, AnEmptyTextIsNotNull)
{
  Database database = in_memory();
  Statement select = prepared(database, "SELECT ?1");
  select.bind(1, "");
  ASSERT_TRUE(*select.step());
  EXPECT_FALSE(select.is_null(0));
  EXPECT_EQ(select.text(0), "");
}

TEST(Sqlite, BoundTextIsNeverSyntax)
{
  Database database = in_memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t (x TEXT)"));
  Statement insert = prepared(database, "INSERT INTO t VALUES (?)");
  ASSERT_TRUE(insert.bind(1, "'); DROP TABLE t; --").run());
  Statement select = prepared(database, "SELECT x FROM t");
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.text(0), "'); DROP TABLE t; --");
}

TEST(Sqlite, AStatementRunsAgainWithOtherValues)
{
  Database database = in_memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t (x INTEGER)"));
  Statement insert = prepared(database, "INSERT INTO t VALUES (?)");
  for (const long long x : {1LL, 2LL, 3LL}) {
    ASSERT_TRUE(insert.bind(1, x).run());
  }
  ASSERT_TRUE(insert.run()); // nothing bound any more
  Statement select = prepared(database, "SELECT count(*), count(x), sum(x) FROM t");
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.integer(0), 4);
  EXPECT_EQ(select.integer(1), 3);
  EXPECT_EQ(select.integer(2), 6);
}

TEST(Sqlite, ResetStartsTheRowsAnew)
{
  Database database = in_memory();
  Statement select = prepared(database, "SELECT 1 UNION ALL SELECT 2");
  ASSERT_TRUE(*select.step());
  ASSERT_TRUE(*select.step());
  select.reset();
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.integer(0), 1);
}

TEST(Sqlite, BrokenSqlSaysWhatIsWrong)
{
  Database database = in_memory();
  check_error(database.prepare("SELEKT 1"),
              "cannot use the database: near \"SELEKT\": syntax error");
  check_error(database.execute("INSERT INTO nowhere VALUES (1)"),
              "cannot use the database: no such table: nowhere");
}

TEST(Sqlite, ABrokenRuleOfATableIsAnError)
{
  Database database = in_memory();
  ASSERT_TRUE(database.execute("CREATE TABLE t (x TEXT PRIMARY KEY)"));
  Statement insert = prepared(database, "INSERT INTO t VALUES (?)");
  ASSERT_TRUE(insert.bind(1, "a").run());
  check_error(insert.bind(1, "a").run(), "cannot use the database: UNIQUE constraint failed: t.x");
  insert.reset();
  EXPECT_TRUE(insert.bind(1, "b").run());
}

TEST(Sqlite, TheSchemaVersionIsZeroUntilSet)
{
  Database database = in_memory();
  EXPECT_EQ(*database.schema_version(), 0);
  ASSERT_TRUE(database.execute("PRAGMA user_version = 7"));
  EXPECT_EQ(*database.schema_version(), 7);
}

TEST(Sqlite, AFileKeepsItsContentAndItsFolderIsMade)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path path = folder->path() / "deep/cache.db";
  {
    Result<Database> database = Database::open(path);
    ASSERT_TRUE(database) << database.error().line();
    ASSERT_TRUE(database->execute("CREATE TABLE t (x); INSERT INTO t VALUES (42)"));
  }
  Result<Database> database = Database::open(path);
  ASSERT_TRUE(database) << database.error().line();
  Statement select = prepared(*database, "SELECT x FROM t");
  ASSERT_TRUE(*select.step());
  EXPECT_EQ(select.integer(0), 42);
}

TEST(Sqlite, AFileIsInWalMode)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Result<Database> database = Database::open(folder->path() / "cache.db");
  ASSERT_TRUE(database);
  Statement mode = prepared(*database, "PRAGMA journal_mode");
  ASSERT_TRUE(*mode.step());
  EXPECT_EQ(mode.text(0), "wal");
}

TEST(Sqlite, AReaderIsNotDisturbedByAWriter)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  Result<Database> writer = Database::open(folder->path() / "cache.db");
  Result<Database> reader = Database::open(folder->path() / "cache.db");
  ASSERT_TRUE(writer && reader);
  ASSERT_TRUE(writer->execute("CREATE TABLE t (x); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)"));
  Statement count = prepared(*reader, "SELECT count(*) FROM t");
  ASSERT_TRUE(*count.step());
  EXPECT_EQ(count.integer(0), 0);
  count.reset();
  ASSERT_TRUE(writer->execute("COMMIT"));
  ASSERT_TRUE(*count.step());
  EXPECT_EQ(count.integer(0), 1);
}

TEST(Sqlite, AFileThatIsNoDatabaseIsNamed)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path path = folder->path() / "notes.txt";
  ASSERT_TRUE(write_file(path, std::string(5000, 'x')));
  check_error(Database::open(path),
              path.string() + ": cannot use the database: file is not a database");
}

TEST(Sqlite, APlaceThatCannotBeOpenedIsNamed)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  check_error(Database::open(folder->path()),
              "cannot open " + folder->path().string() + ": unable to open database file");
}

} // namespace faultline
