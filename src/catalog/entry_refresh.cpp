#include "catalog/entry_refresh.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/gzip.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/fault_detail.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/text_document.hpp"
#include "catalog/token_index.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

namespace faultline::catalog {

namespace fs = std::filesystem;

// Incremented with every change to the tables or to what they contain.
constexpr int k_schema = 4;

// Entries per transaction: how much a kill can lose, against the cost of a commit.
constexpr size_t k_batch = 500;
// Read but not yet written.
constexpr size_t k_most_waiting = 32;

Result<void> prepare_entries(Database& database)
{
  FL_TRY(const long long version, database.schema_version());
  if (version == k_schema) {
    return {};
  }
  return database.execute(format(R"(
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS entry;
    DROP TABLE IF EXISTS summary;
    DROP TABLE IF EXISTS detail;
    DROP TABLE IF EXISTS problem;
    DROP TABLE IF EXISTS alike;
    DROP TABLE IF EXISTS source;
    DROP TABLE IF EXISTS words;
    DROP TABLE IF EXISTS word;
    DROP TABLE IF EXISTS tokens;
    DROP TABLE IF EXISTS uncounted;
    CREATE TABLE entry (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      folder TEXT NOT NULL UNIQUE,
      signature TEXT NOT NULL,
      digest TEXT NOT NULL,
      fix TEXT NOT NULL,
      support INTEGER NOT NULL,
      title TEXT NOT NULL,
      facets TEXT NOT NULL
    );
    CREATE TABLE summary (entry INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE detail (entry INTEGER PRIMARY KEY, zipped BLOB NOT NULL);
    CREATE TABLE problem (folder TEXT PRIMARY KEY, signature TEXT NOT NULL, message TEXT NOT NULL);
    CREATE TABLE alike (a TEXT, b TEXT, similarity REAL NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE source (digest TEXT NOT NULL);
    CREATE TABLE word (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE tokens (
      entry INTEGER PRIMARY KEY, title BLOB NOT NULL, text BLOB NOT NULL, code BLOB NOT NULL);
    CREATE TABLE uncounted (since INTEGER NOT NULL); -- a row: how many share a fix is not known
    PRAGMA user_version = {};
    COMMIT;)",
                                 k_schema));
}

// Start again with empty tables.
static Result<void> forget_entries(Database& database)
{
  FL_CHECK(database.execute("PRAGMA user_version = 0"));
  return prepare_entries(database);
}

// Names, sizes and times of the files in a folder and in those inside, as `read_tree` sees them.
static void add_files(int folder, Digest& digest)
{
  DIR* entries = fdopendir(folder);
  if (entries == nullptr) {
    close(folder);
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries)) {
    if (const std::string name = entry->d_name; !name.starts_with('.') && name != "__pycache__") {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    struct stat status = {};
    if (fstatat(dirfd(entries), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    digest.add(name).add(static_cast<long long>(status.st_mode));
    if (S_ISDIR(status.st_mode)) {
      const int inner =
          openat(dirfd(entries), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner >= 0) {
        add_files(inner, digest);
      }
      digest.add("end");
    } else {
      digest.add(static_cast<long long>(status.st_size))
          .add(static_cast<long long>(status.st_mtim.tv_sec))
          .add(static_cast<long long>(status.st_mtim.tv_nsec))
          // No program can set these back, as `cp -p` does with the time of writing.
          .add(static_cast<long long>(status.st_ino))
          .add(static_cast<long long>(status.st_ctim.tv_sec))
          .add(static_cast<long long>(status.st_ctim.tv_nsec));
    }
  }
  closedir(entries);
}

static std::string signature_of(const fs::path& folder)
{
  Digest digest;
  if (const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      opened >= 0) {
    add_files(opened, digest);
  }
  return digest.hex().substr(0, 32);
}

FacetValues facets_of(const Fault& fault)
{
  FacetValues values;
  for (size_t i = 0; i < k_facets.size(); ++i) {
    const std::string_view facet = k_facets[i];
    if (facet == "framework") {
      values[i] = {fault.framework};
    } else if (facet == "split") {
      values[i] = {fault.split};
    } else if (facet == "silent") {
      values[i] = {fault.silent ? "true" : "false"};
    } else if (facet == "origin") {
      values[i] = {fault.origin.kind};
    } else if (facet == "dataset") {
      values[i] = fault.origin.dataset.empty() ? std::vector<std::string>()
                                               : std::vector{fault.origin.dataset};
    } else if (facet == "language") {
      values[i] = {fault.language()};
    } else if (facet == "status") {
      values[i] = {fault.withdrawn ? "withdrawn" : "active"};
    } else {
      std::vector<std::string> labels;
      for (const Part& part : fault.parts) {
        if (const std::string& label = part.labels.get(facet);
            std::ranges::find(labels, label) == labels.end()) {
          labels.push_back(label);
        }
      }
      values[i] = std::move(labels);
    }
  }
  return values;
}

std::string print_facets(const FacetValues& values)
{
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i > 0 ? "\x1e" : "") + join(values[i], "\x1f");
  }
  return text;
}

FacetValues read_facets(std::string_view text)
{
  FacetValues values;
  const std::vector<std::string_view> parts = split(text, '\x1e');
  for (size_t i = 0; i < std::min(parts.size(), values.size()); ++i) {
    for (const std::string_view value : split(parts[i], '\x1f')) {
      if (!value.empty()) {
        values[i].emplace_back(value);
      }
    }
  }
  return values;
}

namespace {

// Everything about a fault that is written.
struct Row {
  std::string id;
  std::string digest;
  std::string fix;
  std::string title;
  std::string facets;
  std::string summary;
  std::string zipped;
  DocumentTokens tokens;
};

// A folder that was read, because it is new or has changed.
struct Reading {
  size_t folder = 0; // which
  std::string signature;
  Row row;
  std::string problem; // why there is no row
};

// Which files the fix touches, before and after: two faults for which these are the same have the
// same fix.
std::string fix_digest_of(const Fault& fault)
{
  const Result<FileTree> fixed = program_of(fault, Version::fixed);
  FL_ASSERT(fixed.has_value(), "the patches of a loaded fault apply");
  Digest digest;
  for (const auto& [path, content] : *fixed) {
    const auto before = fault.program.find(path);
    if (before == fault.program.end() || before->second != content) {
      digest.add(path).add(before == fault.program.end() ? "" : before->second).add(content);
    }
  }
  for (const auto& [path, content] : fault.program) {
    if (!fixed->contains(path)) {
      digest.add(path).add(content).add("gone");
    }
  }
  return digest.hex().substr(0, 32);
}

Row row_of(const Fault& fault, const RefreshOptions& options)
{
  Row row;
  row.id = fault.id;
  row.digest = options.digest ? options.digest(fault) : "";
  row.fix = fault.withdrawn ? "" : fix_digest_of(fault);
  row.title = fault.title;
  row.facets = print_facets(facets_of(fault));
  const int support = fault.withdrawn ? 0 : 1;
  row.summary = print_json_line(summary_json(fault, support));
  row.summary.pop_back();
  row.zipped = gzip(print_json_line(detail_json(fault, support)), 5);
  row.tokens = tokens_of(document_of(fault));
  return row;
}

// Several threads read folders; the thread that made them takes the results and writes them.
class FolderReader {
public:
  FolderReader(const std::vector<fs::path>& folders,
               const std::vector<std::string>& known,
               const fs::path& root,
               const Schemes& schemes,
               const RefreshOptions& options)
      : m_folders(folders), m_known(known), m_root(root), m_schemes(schemes), m_options(options)
  {
    const size_t count = std::max<size_t>(1, options.threads);
    m_working = count;
    for (size_t i = 0; i < count; ++i) {
      m_threads.emplace_back([this] { work(); });
    }
  }

  ~FolderReader()
  {
    {
      const std::lock_guard lock(m_mutex);
      m_stop = true;
      m_changed.notify_all();
    }
    for (std::thread& thread : m_threads) {
      thread.join();
    }
  }

  // Nothing when all folders were looked at, or it is time to stop.
  std::optional<Reading> next()
  {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_ready.empty() || m_working == 0; });
    if (m_ready.empty()) {
      return std::nullopt;
    }
    Reading reading = std::move(m_ready.front());
    m_ready.pop_front();
    m_changed.notify_all();
    return reading;
  }

  size_t looked_at() const { return m_done; }

private:
  void work()
  {
    while (true) {
      const size_t i = m_next++;
      if (i >= m_folders.size() || m_stop || (m_options.stop && m_options.stop())) {
        break;
      }
      Reading reading;
      reading.folder = i;
      reading.signature = signature_of(m_folders[i]);
      ++m_done;
      if (reading.signature == m_known[i]) {
        continue;
      }
      read(m_folders[i], reading);
      std::unique_lock lock(m_mutex);
      m_changed.wait(lock, [this] { return m_ready.size() < k_most_waiting || m_stop; });
      m_ready.push_back(std::move(reading));
      m_changed.notify_all();
    }
    const std::lock_guard lock(m_mutex);
    --m_working;
    m_changed.notify_all();
  }

  void read(const fs::path& folder, Reading& reading) const
  {
    Result<Fault> fault = load_fault(folder, m_schemes);
    Result<void> place = fault ? check_place(*fault) : Result<void>();
    if (!fault || !place) {
      const Error& error = fault ? place.error() : fault.error();
      reading.problem = replace_all(error.line(), (m_root / "faults/").string(), "faults/");
      return;
    }
    reading.row = row_of(*fault, m_options);
  }

  const std::vector<fs::path>& m_folders;
  const std::vector<std::string>& m_known; // signatures, in the order of the folders
  const fs::path& m_root;
  const Schemes& m_schemes;
  const RefreshOptions& m_options;
  std::atomic<size_t> m_next = 0;
  std::atomic<size_t> m_done = 0;
  std::atomic<bool> m_stop = false;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Reading> m_ready;
  size_t m_working = 0;
  std::vector<std::thread> m_threads;
};

// Writes readings, some to a transaction.
class EntryWriter {
public:
  static Result<EntryWriter> begin(Database& database)
  {
    EntryWriter writer(database);
    FL_CHECK(database.execute("BEGIN IMMEDIATE"));
    return writer;
  }

  Result<void> write(const std::string& folder, const Reading& reading)
  {
    FL_CHECK(note_change());
    if (!reading.problem.empty()) {
      FL_CHECK(remove(folder));
      FL_TRY(Statement broken, m_database.prepare("INSERT INTO problem VALUES (?, ?, ?)"));
      FL_CHECK(broken.bind(1, folder).bind(2, reading.signature).bind(3, reading.problem).run());
    } else {
      FL_CHECK(put(folder, reading));
    }
    return ++m_written % k_batch == 0 ? commit() : Result<void>();
  }

  Result<void> remove(const std::string& folder)
  {
    FL_CHECK(note_change());
    for (const char* sql : {"DELETE FROM summary WHERE entry IN "
                            "(SELECT number FROM entry WHERE folder = ?)",
                            "DELETE FROM detail WHERE entry IN "
                            "(SELECT number FROM entry WHERE folder = ?)",
                            "DELETE FROM tokens WHERE entry IN "
                            "(SELECT number FROM entry WHERE folder = ?)",
                            "DELETE FROM entry WHERE folder = ?",
                            "DELETE FROM problem WHERE folder = ?"}) {
      FL_TRY(Statement statement, m_database.prepare(sql));
      FL_CHECK(statement.bind(1, folder).run());
    }
    return {};
  }

  Result<void> finish() { return m_database.execute("COMMIT"); }

private:
  explicit EntryWriter(Database& database) : m_database(database) {}

  // In the same transaction as the change: whatever happens before `update_support`, it is not
  // forgotten.
  Result<void> note_change()
  {
    return std::exchange(m_noted, true)
               ? Result<void>()
               : m_database.execute("INSERT INTO uncounted VALUES (unixepoch())");
  }

  Result<void> commit()
  {
    FL_CHECK(finish());
    return m_database.execute("BEGIN IMMEDIATE");
  }

  // The number of a word; a new one if it was never seen.
  Result<uint32_t> number_of(const std::string& word)
  {
    if (const auto known = m_words.find(word); known != m_words.end()) {
      return known->second;
    }
    FL_TRY(Statement find, m_database.prepare("SELECT number FROM word WHERE text = ?"));
    find.bind(1, word);
    FL_TRY(const bool found, find.step());
    long long number = found ? find.integer(0) : 0;
    if (!found) {
      FL_TRY(Statement add,
             m_database.prepare("INSERT INTO word (text) VALUES (?) RETURNING number"));
      add.bind(1, word);
      FL_CHECK(add.step());
      number = add.integer(0);
      FL_CHECK(add.step());
    }
    m_words.emplace(word, static_cast<uint32_t>(number));
    return static_cast<uint32_t>(number);
  }

  Result<void> put_tokens(long long entry, const DocumentTokens& tokens)
  {
    FL_TRY(Statement put, m_database.prepare("INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?)"));
    put.bind(1, entry);
    for (size_t field = 0; field < k_token_fields; ++field) {
      std::vector<uint32_t> numbers;
      for (const std::string& word : tokens.fields[field]) {
        FL_TRY(const uint32_t number, number_of(word));
        numbers.push_back(number);
      }
      std::ranges::sort(numbers);
      put.bind_blob(static_cast<int>(field) + 2, pack_numbers(numbers));
    }
    return put.run();
  }

  // An entry keeps its number whatever becomes of its folder.
  Result<void> put(const std::string& folder, const Reading& reading)
  {
    const Row& row = reading.row;
    FL_TRY(Statement mended, m_database.prepare("DELETE FROM problem WHERE folder = ?"));
    FL_CHECK(mended.bind(1, folder).run());
    FL_TRY(Statement entry,
           m_database.prepare(
               "INSERT INTO entry (id, folder, signature, digest, fix, support, title, facets) "
               "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET "
               "folder = ?2, signature = ?3, digest = ?4, fix = ?5, support = ?6, title = ?7, "
               "facets = ?8 RETURNING number"));
    entry.bind(1, row.id).bind(2, folder).bind(3, reading.signature).bind(4, row.digest);
    entry.bind(5, row.fix).bind(6, row.fix.empty() ? 0LL : 1LL);
    entry.bind(7, row.title).bind(8, row.facets);
    FL_CHECK(entry.step());
    const long long number = entry.integer(0);
    FL_CHECK(entry.step());
    FL_TRY(Statement summary, m_database.prepare("INSERT OR REPLACE INTO summary VALUES (?, ?)"));
    FL_CHECK(summary.bind(1, number).bind(2, row.summary).run());
    FL_TRY(Statement detail, m_database.prepare("INSERT OR REPLACE INTO detail VALUES (?, ?)"));
    FL_CHECK(detail.bind(1, number).bind_blob(2, row.zipped).run());
    return put_tokens(number, row.tokens);
  }

  Database& m_database;
  std::unordered_map<std::string, uint32_t> m_words; // that were used
  size_t m_written = 0;
  bool m_noted = false;
};

} // namespace

// What every entry depends on besides its folder.
static std::string source_digest(const fs::path& root, const Schemes& schemes)
{
  Digest digest;
  digest.add(root.string());
  for (const Scheme& scheme : schemes.all) {
    digest.add(scheme.name);
    for (const Label& label : scheme.labels) {
      digest.add(label.id).add(label.leaf ? 1 : 0);
    }
  }
  return digest.hex();
}

Result<bool> is_source(Database& database, const fs::path& root, const Schemes& schemes)
{
  FL_TRY(Statement source, database.prepare("SELECT digest FROM source"));
  FL_TRY(const bool known, source.step());
  return known && source.text(0) == source_digest(root, schemes);
}

// Empty the index if it belongs to another project or other labels; returns how many entries were
// dropped.
static Result<long long>
check_source(Database& database, const fs::path& root, const Schemes& schemes)
{
  FL_TRY(const bool same, is_source(database, root, schemes));
  if (same) {
    return 0LL;
  }
  FL_TRY(Statement count, database.prepare("SELECT count(*) FROM entry"));
  FL_CHECK(count.step());
  const long long entries = count.integer(0);
  count.reset();
  FL_CHECK(forget_entries(database));
  FL_TRY(Statement note, database.prepare("INSERT INTO source VALUES (?)"));
  FL_CHECK(note.bind(1, source_digest(root, schemes)).run());
  return entries;
}

static Result<std::vector<std::string>> known_signatures(Database& database,
                                                         const std::vector<fs::path>& folders)
{
  FL_TRY(Statement find,
         database.prepare("SELECT signature FROM entry WHERE folder = ?1 "
                          "UNION ALL SELECT signature FROM problem WHERE folder = ?1"));
  std::vector<std::string> signatures;
  for (const fs::path& folder : folders) {
    find.bind(1, folder.string());
    FL_TRY(const bool row, find.step());
    signatures.push_back(row ? find.text(0) : std::string());
    find.reset();
  }
  return signatures;
}

// Folders that are in the index but not in `folders`, which is sorted.
static Result<std::vector<std::string>> vanished(Database& database,
                                                 const std::vector<fs::path>& folders)
{
  std::set<std::string> present;
  for (const fs::path& folder : folders) {
    present.insert(folder.string());
  }
  FL_TRY(Statement all,
         database.prepare("SELECT folder FROM entry UNION ALL SELECT folder FROM problem"));
  std::vector<std::string> gone;
  while (true) {
    FL_TRY(const bool row, all.step());
    if (!row) {
      return gone;
    }
    if (std::string folder = all.text(0); !present.contains(folder)) {
      gone.push_back(std::move(folder));
    }
  }
}

static Result<void> write_all(Database& database,
                              const std::vector<fs::path>& folders,
                              const std::vector<std::string>& known,
                              const fs::path& root,
                              const Schemes& schemes,
                              const RefreshOptions& options,
                              RefreshReport& report)
{
  FL_TRY(EntryWriter writer, EntryWriter::begin(database));
  FL_TRY(const std::vector<std::string> gone, vanished(database, folders));
  for (const std::string& folder : gone) {
    FL_CHECK(writer.remove(folder));
  }
  report.removed += gone.size();
  FolderReader reader(folders, known, root, schemes, options);
  double told = monotonic_seconds();
  while (const std::optional<Reading> reading = reader.next()) {
    FL_CHECK(writer.write(folders[reading->folder].string(), *reading));
    ++report.read;
    if (const double now = monotonic_seconds(); options.progress && now - told > 0.2) {
      options.progress(reader.looked_at(), folders.size());
      told = now;
    }
  }
  return writer.finish();
}

Result<RefreshReport> refresh_entries(Database& database,
                                      const fs::path& root,
                                      const Schemes& schemes,
                                      const RefreshOptions& options)
{
  std::error_code code;
  if (!fs::is_directory(root / "faults", code)) {
    return Error{ErrorKind::not_found, format("{} has no folder faults/", root.string())};
  }
  FL_TRY(const long long forgotten, check_source(database, root, schemes));
  const std::vector<fs::path> folders = fault_folders(root / "faults");
  FL_TRY(const std::vector<std::string> known, known_signatures(database, folders));
  RefreshReport report;
  report.folders = folders.size();
  report.removed = static_cast<size_t>(forgotten);
  if (Result<void> written = write_all(database, folders, known, root, schemes, options, report);
      !written) {
    // There may be nothing to roll back; the first error is the one to report.
    [[maybe_unused]] const Result<void> undone = database.execute("ROLLBACK");
    return std::move(written).error();
  }
  FL_TRY(report.counted, update_support(database, schemes));
  if (report.counted) {
    FL_CHECK(database.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  if (options.progress) {
    options.progress(folders.size(), folders.size());
  }
  return report;
}

} // namespace faultline::catalog
