#include "catalog/entry_index.hpp"

#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/entry_readers.hpp"
#include "catalog/entry_refresh.hpp"
#include "catalog/entry_snapshot.hpp"

#include <algorithm>

namespace faultline::catalog {

constexpr size_t k_most_readers = 4;

Result<std::unique_ptr<EntryIndex>> EntryIndex::open(const std::filesystem::path& path)
{
  FL_TRY(Database writer, Database::open(path));
  FL_CHECK(prepare_entries(writer));
  auto readers = std::make_unique<EntryReaders>(path, k_most_readers);
  std::unique_ptr<EntryIndex> index(new EntryIndex(std::move(writer), std::move(readers)));
  FL_CHECK(index->load_snapshot());
  return index;
}

EntryIndex::EntryIndex(Database writer, std::unique_ptr<EntryReaders> readers)
    : m_writer(std::move(writer)), m_readers(std::move(readers))
{
}

EntryIndex::~EntryIndex() = default;

std::shared_ptr<const EntrySnapshot> EntryIndex::snapshot() const
{
  const std::lock_guard lock(m_mutex);
  return m_snapshot;
}

static void mark_proved(Database& database,
                        const std::vector<ProvedMark>& marks,
                        const EntrySnapshot& snapshot,
                        std::vector<Proved>& proved)
{
  Result<Statement> find = database.prepare("SELECT number FROM entry WHERE id = ? AND digest = ?");
  for (const ProvedMark& mark : marks) {
    if (!find) {
      return;
    }
    find->bind(1, mark.id).bind(2, mark.digest);
    if (const Result<bool> row = find->step(); row && *row) {
      const uint32_t place = snapshot.place_of_number(static_cast<uint32_t>(find->integer(0)));
      if (place != k_no_entry) {
        proved[place] = mark.proved;
      }
    }
    find->reset();
  }
}

// Where every word occurs; places are in the order of ids.
static Result<std::shared_ptr<const TokenIndex>> load_tokens(Database& database, size_t places)
{
  std::map<std::string, uint32_t> words;
  FL_TRY(Statement all_words, database.prepare("SELECT text, number FROM word"));
  while (true) {
    FL_TRY(const bool row, all_words.step());
    if (!row) {
      break;
    }
    words.emplace(all_words.text(0), static_cast<uint32_t>(all_words.integer(1)));
  }
  auto index = std::make_shared<TokenIndex>(std::move(words), places);
  FL_TRY(Statement all,
         database.prepare("SELECT tokens.title, text, code FROM entry "
                          "JOIN tokens ON tokens.entry = entry.number ORDER BY id"));
  for (uint32_t place = 0;; ++place) {
    FL_TRY(const bool row, all.step());
    if (!row || place == places) {
      return std::shared_ptr<const TokenIndex>(std::move(index));
    }
    for (size_t field = 0; field < k_token_fields; ++field) {
      index->add(place, field, unpack_numbers(all.text(static_cast<int>(field))));
    }
  }
}

Result<void> EntryIndex::load_snapshot()
{
  // In one transaction: another server may be writing to the same file.
  FL_CHECK(m_writer.execute("BEGIN"));
  Result<void> loaded = load_tables();
  FL_CHECK(m_writer.execute("COMMIT"));
  return loaded;
}

Result<void> EntryIndex::load_tables()
{
  auto fresh = std::make_shared<EntrySnapshot>();
  FL_TRY(Statement all, m_writer.prepare("SELECT number, title, facets FROM entry ORDER BY id"));
  while (true) {
    FL_TRY(const bool row, all.step());
    if (!row) {
      break;
    }
    fresh->add(static_cast<uint32_t>(all.integer(0)), all.text(1), read_facets(all.text(2)));
  }
  all.reset();
  FL_TRY(std::shared_ptr<const TokenIndex> tokens, load_tokens(m_writer, fresh->size()));
  fresh->finish(std::move(tokens));
  std::vector<Proved> proved(fresh->size(), Proved::unknown);
  mark_proved(m_writer, m_marks, *fresh, proved);
  std::vector<std::string> problems;
  FL_TRY(Statement broken, m_writer.prepare("SELECT message FROM problem ORDER BY message"));
  while (true) {
    FL_TRY(const bool row, broken.step());
    if (!row) {
      break;
    }
    problems.push_back(broken.text(0));
  }
  std::shared_ptr<const EntrySnapshot> next =
      m_marks.empty() ? std::shared_ptr<const EntrySnapshot>(fresh)
                      : EntrySnapshot::with_proofs(*fresh, std::move(proved));
  const std::lock_guard lock(m_mutex);
  m_snapshot = std::move(next);
  ++m_version;
  m_problems = std::move(problems);
  return {};
}

Result<RefreshReport> EntryIndex::refresh(const std::filesystem::path& root,
                                          const Schemes& schemes,
                                          const RefreshOptions& options)
{
  const std::lock_guard lock(m_writing);
  Result<RefreshReport> report = refresh_entries(m_writer, root, schemes, options);
  // One that failed may have written some of it.
  if (!report || report->counted || report->removed > 0) {
    const Result<void> loaded = load_snapshot();
    if (report && !loaded) {
      return loaded.error();
    }
  }
  return report;
}

Result<bool> EntryIndex::is_of(const std::filesystem::path& root, const Schemes& schemes)
{
  const std::lock_guard lock(m_writing);
  return is_source(m_writer, root, schemes);
}

Result<void> EntryIndex::set_proved(const std::vector<ProvedMark>& marks)
{
  const std::lock_guard lock(m_writing);
  const std::shared_ptr<const EntrySnapshot> old = snapshot();
  std::vector<Proved> proved(old->size(), Proved::unknown);
  mark_proved(m_writer, marks, *old, proved);
  m_marks = marks;
  std::shared_ptr<const EntrySnapshot> next = EntrySnapshot::with_proofs(*old, std::move(proved));
  const std::lock_guard swap(m_mutex);
  m_snapshot = std::move(next);
  ++m_version;
  return {};
}

size_t EntryIndex::size() const
{
  return snapshot()->active();
}

std::vector<std::string> EntryIndex::problems() const
{
  const std::lock_guard lock(m_mutex);
  return m_problems;
}

std::string EntryIndex::version() const
{
  const std::lock_guard lock(m_mutex);
  return format("{}", m_version);
}

// The end of a summary.
static std::string_view json_of(Proved proved)
{
  switch (proved) {
  case Proved::unknown:
    break;
  case Proved::no:
    return R"(,"proved":false,"proved_by":"here"})";
  case Proved::recorded:
    return R"(,"proved":true,"proved_by":"record"})";
  case Proved::here:
    return R"(,"proved":true,"proved_by":"here"})";
  }
  return R"(,"proved":null,"proved_by":null})";
}

static Result<std::vector<std::string>> texts_of(EntryReaders& readers,
                                                 Statement EntryReader::*statement,
                                                 const EntrySnapshot& snapshot,
                                                 std::span<const uint32_t> numbers)
{
  FL_TRY(const EntryReaders::Borrowed reader, readers.borrow());
  Statement& find = (*reader.operator->()).*statement;
  std::vector<std::string> texts;
  for (const uint32_t number : numbers) {
    find.bind(1, static_cast<long long>(number));
    FL_TRY(const bool row, find.step());
    if (row) {
      texts.push_back(find.text(0));
      // A summary is kept without what proofs say, which changes more often.
      if (const uint32_t place = snapshot.place_of_number(number);
          statement == &EntryReader::summary && texts.back().ends_with('}')) {
        texts.back().pop_back();
        texts.back() += json_of(place == k_no_entry ? Proved::unknown : snapshot.proved_at(place));
      }
    }
    find.reset();
  }
  return texts;
}

Result<EntryPage> EntryIndex::query(const EntryQuery& query) const
{
  const std::shared_ptr<const EntrySnapshot> now = snapshot();
  const std::shared_ptr<const Hits> hits = now->search(query);
  const std::shared_ptr<const Selection> selection = now->select(query, hits.get());
  std::vector<uint32_t> numbers;
  for (const uint32_t place : now->page(*selection, query, hits.get(), false)) {
    numbers.push_back(now->number_at(place));
  }
  EntryPage page;
  page.total = selection->places.size();
  page.facets = selection->facets;
  FL_TRY(page.items, texts_of(*m_readers, &EntryReader::summary, *now, numbers));
  return page;
}

Result<std::vector<uint32_t>> EntryIndex::select(const EntryQuery& query) const
{
  const std::shared_ptr<const EntrySnapshot> now = snapshot();
  const std::shared_ptr<const Hits> hits = now->search(query);
  const std::shared_ptr<const Selection> selection = now->select(query, hits.get());
  std::vector<uint32_t> numbers = now->page(*selection, query, hits.get(), true);
  for (uint32_t& number : numbers) {
    number = now->number_at(number);
  }
  return numbers;
}

Result<std::vector<std::string>> EntryIndex::summaries(std::span<const uint32_t> entries) const
{
  return texts_of(*m_readers, &EntryReader::summary, *snapshot(), entries);
}

Result<std::vector<std::string>> EntryIndex::ids(std::span<const uint32_t> entries) const
{
  return texts_of(*m_readers, &EntryReader::id, *snapshot(), entries);
}

Result<std::vector<std::string>> EntryIndex::ids(const EntryQuery& query) const
{
  FL_TRY(const std::vector<uint32_t> numbers, select(query));
  return ids(numbers);
}

Result<std::string> EntryIndex::did_you_mean(const std::string& id) const
{
  FL_TRY(const EntryReaders::Borrowed reader, m_readers->borrow());
  std::vector<std::string> candidates;
  reader->nearby.bind(1, id);
  while (true) {
    FL_TRY(const bool row, reader->nearby.step());
    if (!row) {
      return faultline::did_you_mean(id, candidates);
    }
    candidates.push_back(reader->nearby.text(0));
  }
}

Result<std::optional<std::string>> EntryIndex::detail(const std::string& id) const
{
  FL_TRY(const EntryReaders::Borrowed reader, m_readers->borrow());
  reader->detail.bind(1, id);
  FL_TRY(const bool row, reader->detail.step());
  return row ? std::optional(reader->detail.text(0)) : std::nullopt;
}

Result<std::optional<std::filesystem::path>> EntryIndex::folder_of(const std::string& id) const
{
  FL_TRY(const EntryReaders::Borrowed reader, m_readers->borrow());
  reader->by_id.bind(1, id);
  FL_TRY(const bool row, reader->by_id.step());
  return row ? std::optional(std::filesystem::path(reader->by_id.text(1))) : std::nullopt;
}

Result<std::vector<std::string>> EntryIndex::related(const std::string& id, size_t limit) const
{
  const std::shared_ptr<const EntrySnapshot> now = snapshot();
  std::vector<uint32_t> numbers;
  {
    FL_TRY(const EntryReaders::Borrowed reader, m_readers->borrow());
    reader->by_id.bind(1, id);
    FL_TRY(const bool row, reader->by_id.step());
    const uint32_t place =
        row ? now->place_of_number(static_cast<uint32_t>(reader->by_id.integer(0))) : k_no_entry;
    if (place == k_no_entry) {
      return std::vector<std::string>();
    }
    for (const uint32_t other : now->related(place, limit)) {
      numbers.push_back(now->number_at(other));
    }
  }
  return texts_of(*m_readers, &EntryReader::id, *now, numbers);
}

} // namespace faultline::catalog
