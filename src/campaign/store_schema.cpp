#include "campaign/store_schema.hpp"

#include "base/format.hpp"

namespace faultline::campaign {

constexpr long long k_schema = 2;

// Texts stay as they are, byte for byte, whether UTF-8 or not. A number that may be NaN, which
// SQLite would make NULL, is a text. A run belongs to an address, not to a variant: another plan
// whose variant has the same address has that run, too.
constexpr const char* k_create = R"(
  CREATE TABLE plan (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE notes (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE variants (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, op TEXT NOT NULL, setting TEXT NOT NULL,
    library TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
    before TEXT NOT NULL, after TEXT NOT NULL, phases TEXT NOT NULL, address TEXT NOT NULL);
  CREATE INDEX variants_by_address ON variants (address);
  CREATE TABLE edits (
    variant INTEGER NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (variant, number)) WITHOUT ROWID;
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY, address TEXT NOT NULL, repeat INTEGER NOT NULL,
    ended TEXT NOT NULL, symptom TEXT NOT NULL, start TEXT NOT NULL, decision TEXT NOT NULL,
    exception TEXT, message TEXT, file TEXT, line INTEGER, function TEXT, statement TEXT,
    seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, spent_seconds REAL NOT NULL,
    memory_kib INTEGER NOT NULL, checkpoints INTEGER NOT NULL, log BLOB NOT NULL,
    UNIQUE (address, repeat));
  CREATE TABLE metrics (
    run INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (run, name)) WITHOUT ROWID;
)";

// The first version noted no address and only one phase. Its runs keep an address of their own that
// nothing else can have.
constexpr const char* k_from_1 = R"(
  ALTER TABLE variants RENAME COLUMN phase TO phases;
  ALTER TABLE variants ADD COLUMN address TEXT NOT NULL DEFAULT '';
  UPDATE variants SET address = 'unknown ' || id;
  CREATE INDEX variants_by_address ON variants (address);
  INSERT OR REPLACE INTO plan (key, value) VALUES ('clean_address', 'unknown ');
  ALTER TABLE runs RENAME TO old_runs;
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY, address TEXT NOT NULL, repeat INTEGER NOT NULL,
    ended TEXT NOT NULL, symptom TEXT NOT NULL, start TEXT NOT NULL, decision TEXT NOT NULL,
    exception TEXT, message TEXT, file TEXT, line INTEGER, function TEXT, statement TEXT,
    seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, spent_seconds REAL NOT NULL,
    memory_kib INTEGER NOT NULL, checkpoints INTEGER NOT NULL, log BLOB NOT NULL,
    UNIQUE (address, repeat));
  INSERT INTO runs SELECT number, 'unknown ' || variant, repeat, '', symptom, start, decision,
    exception, message, file, line, function, statement, seconds, cpu_seconds, spent_seconds,
    memory_kib, checkpoints, log FROM old_runs;
  DROP TABLE old_runs;
)";

Result<void> prepare_schema(Database& database)
{
  FL_TRY(const long long version, database.schema_version());
  if (version == k_schema) {
    return {};
  }
  FL_TRY(Transaction transaction, Transaction::begin(database));
  // Another process may have done it while this one waited.
  FL_TRY(const long long now, database.schema_version());
  if (now > k_schema) {
    return Error{ErrorKind::bad_data, "it was written by a newer version of faultline"};
  }
  if (now < k_schema) {
    FL_CHECK(database.execute(now == 0 ? k_create : k_from_1));
    FL_CHECK(database.execute(format("PRAGMA user_version = {}", k_schema)));
  }
  return transaction.commit();
}

} // namespace faultline::campaign
