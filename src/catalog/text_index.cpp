#include "catalog/text_index.hpp"

#include "base/digest.hpp"
#include "catalog/text_document.hpp"

namespace faultline::catalog {

// Counts with every change to the table below or to what a document is.
constexpr int k_format = 1;

static std::string digest_of(const Catalog& catalog)
{
  Digest digest;
  digest.add(k_format);
  for (const Fault& fault : catalog.faults) {
    const Document document = document_of(fault);
    digest.add(fault.id)
        .add(document.title)
        .add(document.text)
        .add(document.labels)
        .add(document.code);
  }
  return digest.hex();
}

static Result<void> fill(Database& database, const Catalog& catalog, const std::string& digest)
{
  FL_CHECK(database.execute(R"(
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS faults;
    DROP TABLE IF EXISTS source;
    CREATE VIRTUAL TABLE faults USING fts5(id UNINDEXED, title, text, labels, code,
                                           tokenize = "unicode61 remove_diacritics 2");
    CREATE TABLE source (digest TEXT NOT NULL);)"));
  FL_TRY(Statement insert, database.prepare("INSERT INTO faults VALUES (?, ?, ?, ?, ?)"));
  for (const Fault& fault : catalog.faults) {
    const Document document = document_of(fault);
    insert.bind(1, fault.id).bind(2, document.title).bind(3, document.text);
    insert.bind(4, document.labels).bind(5, document.code);
    FL_CHECK(insert.run());
  }
  FL_TRY(Statement note, database.prepare("INSERT INTO source VALUES (?)"));
  FL_CHECK(note.bind(1, digest).run());
  return database.execute("COMMIT");
}

static Result<std::string> stored_digest(Database& database)
{
  FL_TRY(Statement exists,
         database.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'source'"));
  FL_CHECK(exists.step());
  if (exists.integer(0) == 0) {
    return std::string();
  }
  FL_TRY(Statement query, database.prepare("SELECT digest FROM source"));
  FL_TRY(const bool found, query.step());
  return found ? query.text(0) : std::string();
}

Result<TextIndex> TextIndex::open(const std::filesystem::path& path, const Catalog& catalog)
{
  FL_TRY(Database database, Database::open(path));
  FL_TRY(const std::string stored, stored_digest(database));
  const std::string digest = digest_of(catalog);
  if (stored != digest) {
    FL_CHECK(fill(database, catalog, digest));
  }
  return TextIndex(std::move(database));
}

Result<std::vector<std::string>> TextIndex::search(const std::string& words)
{
  const std::string query = quoted_query(words);
  std::vector<std::string> ids;
  if (query.empty()) {
    return ids;
  }
  FL_TRY(Statement select,
         m_database.prepare("SELECT id FROM faults WHERE faults MATCH ? "
                            "ORDER BY bm25(faults, 0, 10, 5, 5, 1), id"));
  select.bind(1, query);
  while (true) {
    FL_TRY(const bool row, select.step());
    if (!row) {
      return ids;
    }
    ids.push_back(select.text(0));
  }
}

} // namespace faultline::catalog
