#include "catalog/entry_readers.hpp"

namespace faultline::catalog {

Result<std::unique_ptr<EntryReader>> EntryReader::open(const std::filesystem::path& path)
{
  FL_TRY(Database database, Database::open(path));
  FL_CHECK(database.execute("PRAGMA query_only = 1; PRAGMA cache_size = -8000"));
  FL_TRY(Statement summary, database.prepare("SELECT text FROM summary WHERE entry = ?"));
  FL_TRY(Statement id, database.prepare("SELECT id FROM entry WHERE number = ?"));
  FL_TRY(Statement by_id, database.prepare("SELECT number, folder FROM entry WHERE id = ?"));
  FL_TRY(Statement detail,
         database.prepare("SELECT zipped FROM detail "
                          "WHERE entry = (SELECT number FROM entry WHERE id = ?)"));
  FL_TRY(Statement nearby,
         database.prepare(
             "SELECT id FROM (SELECT id FROM entry WHERE id < ?1 ORDER BY id DESC LIMIT 20) "
             "UNION SELECT id FROM (SELECT id FROM entry WHERE id > ?1 ORDER BY id LIMIT 20)"));
  return std::make_unique<EntryReader>(EntryReader{std::move(database),
                                                   std::move(summary),
                                                   std::move(id),
                                                   std::move(by_id),
                                                   std::move(detail),
                                                   std::move(nearby)});
}

Result<EntryReaders::Borrowed> EntryReaders::borrow()
{
  std::unique_lock lock(m_mutex);
  m_returned.wait(lock, [this] { return !m_free.empty() || m_open < m_most; });
  if (!m_free.empty()) {
    std::unique_ptr<EntryReader> reader = std::move(m_free.back());
    m_free.pop_back();
    return Borrowed(*this, std::move(reader));
  }
  FL_TRY(std::unique_ptr<EntryReader> reader, EntryReader::open(m_path));
  ++m_open;
  return Borrowed(*this, std::move(reader));
}

EntryReaders::Borrowed::~Borrowed()
{
  if (m_reader == nullptr) {
    return;
  }
  for (Statement* statement : {&m_reader->summary,
                               &m_reader->id,
                               &m_reader->by_id,
                               &m_reader->detail,
                               &m_reader->nearby}) {
    statement->reset();
  }
  const std::lock_guard lock(m_owner->m_mutex);
  m_owner->m_free.push_back(std::move(m_reader));
  m_owner->m_returned.notify_one();
}

} // namespace faultline::catalog
