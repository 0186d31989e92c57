#pragma once

#include "base/sqlite.hpp"
#include "catalog/catalog.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::catalog {

// Free text over the catalogue: titles, summaries, labels, programs and fixes, by SQLite's FTS5.
// The file is a cache: it stores the digest of what it indexes, and is rebuilt when that changes.
class TextIndex {
public:
  static Result<TextIndex> open(const std::filesystem::path& path, const Catalog& catalog);

  // Ids of the faults in which every word of `words` occurs (a word matches longer ones that start
  // with it), the most relevant first.
  Result<std::vector<std::string>> search(const std::string& words);

private:
  explicit TextIndex(Database database) : m_database(std::move(database)) {}

  Database m_database;
};

} // namespace faultline::catalog
