#include "base/sqlite.hpp"

#include "base/format.hpp"

#include <sqlite3.h>

namespace faultline {

static Error sqlite_error(sqlite3* database, std::string_view doing)
{
  return {ErrorKind::io, format("cannot {}: {}", doing, sqlite3_errmsg(database))};
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
  sqlite3_finalize(statement);
}

void Database::Close::operator()(sqlite3* database) const
{
  sqlite3_close_v2(database);
}

Statement& Statement::bind(int index, std::string_view text)
{
  // An empty view may have a null pointer, which SQLite would bind as NULL.
  sqlite3_bind_text64(m_statement.get(),
                      index,
                      text.data() == nullptr ? "" : text.data(),
                      text.size(),
                      SQLITE_TRANSIENT,
                      SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int index, long long number)
{
  sqlite3_bind_int64(m_statement.get(), index, number);
  return *this;
}

Statement& Statement::bind(int index, double number)
{
  sqlite3_bind_double(m_statement.get(), index, number);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes)
{
  sqlite3_bind_blob64(m_statement.get(),
                      index,
                      bytes.data() == nullptr ? "" : bytes.data(),
                      bytes.size(),
                      SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bind_null(int index)
{
  sqlite3_bind_null(m_statement.get(), index);
  return *this;
}

Result<bool> Statement::step()
{
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code == SQLITE_DONE) {
    return false;
  }
  return sqlite_error(sqlite3_db_handle(m_statement.get()), "use the database");
}

Result<void> Statement::run()
{
  FL_TRY(const bool row, step());
  FL_ASSERT(!row, "the statement gives no row");
  reset();
  return {};
}

void Statement::reset()
{
  sqlite3_reset(m_statement.get());
  sqlite3_clear_bindings(m_statement.get());
}

std::string Statement::text(int column) const
{
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
  const int size = sqlite3_column_bytes(m_statement.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<size_t>(size));
}

long long Statement::integer(int column) const
{
  return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::number(int column) const
{
  return sqlite3_column_double(m_statement.get(), column);
}

bool Statement::is_null(int column) const
{
  return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

Result<Database> Database::open(const std::filesystem::path& path)
{
  if (path.has_parent_path()) {
    std::error_code code;
    std::filesystem::create_directories(path.parent_path(), code);
  }
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(),
                      &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX,
                      nullptr);
  Database database(handle);
  if (code != SQLITE_OK) {
    return sqlite_error(handle, format("open {}", path.string()));
  }
  sqlite3_busy_timeout(handle, 30000);
  // Two that open a new file at once: the one that comes second is refused without any waiting.
  const std::string settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
  Result<void> set = database.execute(settings);
  for (int tries = 0; !set && sqlite3_errcode(handle) == SQLITE_BUSY && tries < 100; ++tries) {
    sqlite3_sleep(20);
    set = database.execute(settings);
  }
  if (!set) {
    return std::move(set).error().in(path.string());
  }
  return database;
}

Result<void> Database::execute(const std::string& sql)
{
  if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return sqlite_error(m_database.get(), "use the database");
  }
  return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(
          m_database.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK) {
    return sqlite_error(m_database.get(), "use the database");
  }
  return Statement(statement);
}

Result<long long> Database::schema_version()
{
  FL_TRY(Statement statement, prepare("PRAGMA user_version"));
  FL_CHECK(statement.step());
  return statement.integer(0);
}

Result<long long> Database::data_version()
{
  FL_TRY(Statement statement, prepare("PRAGMA data_version"));
  FL_CHECK(statement.step());
  return statement.integer(0);
}

Result<Transaction> Transaction::begin(Database& database)
{
  FL_CHECK(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_database(std::exchange(other.m_database, nullptr))
{
}

Transaction::~Transaction()
{
  if (m_database != nullptr) {
    const Result<void> undone = m_database->execute("ROLLBACK");
    static_cast<void>(undone); // whoever returned early already has an error to report
  }
}

Result<void> Transaction::commit()
{
  FL_CHECK(m_database->execute("COMMIT"));
  m_database = nullptr;
  return {};
}

} // namespace faultline
