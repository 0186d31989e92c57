#pragma once

// The catalogue as an index on disk, for many small queries: it answers them for 100,000 faults
// without holding any of them in memory.

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "catalog/fault.hpp"
#include "catalog/scheme.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::catalog {

// The facets: what entries can be filtered and counted by. A fault with several parts has all the
// labels of its parts.
inline constexpr std::array<std::string_view, 14> k_facets = {"framework",
                                                              "split",
                                                              "silent",
                                                              "origin",
                                                              "dataset",
                                                              "type",
                                                              "category",
                                                              "fix_pattern",
                                                              "symptom",
                                                              "property",
                                                              "phase",
                                                              "level",
                                                              "language",
                                                              "status"};

inline constexpr std::array<std::string_view, 11> k_entry_sorts = {"id",
                                                                   "title",
                                                                   "framework",
                                                                   "origin",
                                                                   "split",
                                                                   "type",
                                                                   "category",
                                                                   "fix_pattern",
                                                                   "symptom",
                                                                   "relevance",
                                                                   "proved"};

// Which entries are asked for. Several values of a facet mean any of them; several facets mean all.
struct EntryQuery {
  std::map<std::string, std::vector<std::string>> filters; // a type matches everything below it
  std::string words;                                       // all must occur, each also as a prefix
  std::string sort = "id";                                 // one of k_entry_sorts
  bool descending = false;
  size_t offset = 0;
  size_t limit = 50;
};

struct FacetCount {
  std::string value;
  size_t count = 0;
};

struct EntryPage {
  size_t total = 0;
  std::vector<std::string> items; // summaries as JSON text, one object each
  // In the order of k_facets; the counts of one apply all filters but its own.
  std::vector<std::pair<std::string, std::vector<FacetCount>>> facets;
};

// What is known about a proof, in sort order.
enum class Proved : int8_t {
  unknown,
  no,
  recorded, // by the author of the record that comes with the faultload
  here,     // on this machine
};

// What is known about the proof of the fault with this `digest`.
struct ProvedMark {
  std::string id;
  std::string digest;
  Proved proved = Proved::unknown;

  friend bool operator==(const ProvedMark&, const ProvedMark&) = default;
};

struct RefreshOptions {
  size_t threads = 1; // that read fault folders
  // What a proof of the fault depends on; stored with it, so that outdated proofs are recognised.
  std::function<std::string(const Fault&)> digest;
  std::function<void(size_t done, size_t total)> progress;
  std::function<bool()> stop; // set to end early; what was read is kept
};

struct RefreshReport {
  size_t folders = 0;
  size_t read = 0; // because they were new or had changed
  size_t removed = 0;
  bool counted = false; // how many share a fix was counted again
};

class EntrySnapshot;
class EntryReaders;

// Safe to use from several threads, even while one of them refreshes.
class EntryIndex {
public:
  static Result<std::unique_ptr<EntryIndex>> open(const std::filesystem::path& path);
  ~EntryIndex();

  // Bring the index up to date with the folders below `root`/faults. Folders whose files have the
  // same names, sizes and times as before are not read.
  Result<RefreshReport>
  refresh(const std::filesystem::path& root, const Schemes& schemes, const RefreshOptions& options);

  // Whether it was made from these folders and labels, though not necessarily in their current
  // state.
  Result<bool> is_of(const std::filesystem::path& root, const Schemes& schemes);

  // Entries that are not withdrawn.
  size_t size() const;
  // What is wrong with folders that could not be read, one line each.
  std::vector<std::string> problems() const;
  // Changes whenever an answer may change.
  std::string version() const;

  Result<EntryPage> query(const EntryQuery& query) const;
  // The numbers of all entries that match, in order, whatever offset and limit say; an entry keeps
  // its number.
  Result<std::vector<uint32_t>> select(const EntryQuery& query) const;
  // Summaries or ids of entries by number; those that have gone since are left out.
  Result<std::vector<std::string>> summaries(std::span<const uint32_t> entries) const;
  Result<std::vector<std::string>> ids(std::span<const uint32_t> entries) const;
  // The ids of all that match.
  Result<std::vector<std::string>> ids(const EntryQuery& query) const;
  // ", did you mean `x`?" or nothing, for an id that does not exist.
  Result<std::string> did_you_mean(const std::string& id) const;

  // Everything known about an entry (fault_detail.hpp) as JSON text in gzip; nothing if there is
  // none.
  Result<std::optional<std::string>> detail(const std::string& id) const;
  // Where to `load_fault` it from.
  Result<std::optional<std::filesystem::path>> folder_of(const std::string& id) const;
  // Ids of other active entries that share labels, those with most in common first.
  Result<std::vector<std::string>> related(const std::string& id, size_t limit) const;

  // Which entries are proved: of several marks the last counts, and those with another digest than
  // the entry's do not.
  Result<void> set_proved(const std::vector<ProvedMark>& marks);

private:
  EntryIndex(Database writer, std::unique_ptr<EntryReaders> readers);

  std::shared_ptr<const EntrySnapshot> snapshot() const;
  Result<void> load_snapshot();
  Result<void> load_tables();

  std::mutex m_writing; // held while writing
  Database m_writer;
  std::vector<ProvedMark> m_marks;
  std::unique_ptr<EntryReaders> m_readers;
  mutable std::mutex m_mutex; // for the members below
  std::shared_ptr<const EntrySnapshot> m_snapshot;
  size_t m_version = 0; // incremented with every new snapshot
  std::vector<std::string> m_problems;
};

} // namespace faultline::catalog
