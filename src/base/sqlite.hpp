#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace faultline {

// A prepared statement. Bind every parameter, then step; `reset` makes it ready again.
class Statement {
public:
  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, long long number);
  Statement& bind(int index, double number);
  Statement& bind_blob(int index, std::string_view bytes); // read it with `text`
  Statement& bind_null(int index);

  // True: there is a row to read. False: done.
  Result<bool> step();
  // Run a statement that returns no rows.
  Result<void> run();
  void reset();

  std::string text(int column) const;
  long long integer(int column) const;
  double number(int column) const;
  bool is_null(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : m_statement(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

// One SQLite file (or `:memory:`), in WAL mode, waiting for other writers rather than failing.
class Database {
public:
  static Result<Database> open(const std::filesystem::path& path);

  Result<void> execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  // `PRAGMA user_version`: the schema that the file has.
  Result<long long> schema_version();
  // Changes whenever another connection, in any process, has changed the file.
  Result<long long> data_version();

private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(sqlite3* database) : m_database(database) {}

  std::unique_ptr<sqlite3, Close> m_database;
};

// Rolls back on destruction, unless `commit` was called.
class Transaction {
public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

private:
  explicit Transaction(Database& database) : m_database(&database) {}
  Database* m_database;
};

} // namespace faultline
