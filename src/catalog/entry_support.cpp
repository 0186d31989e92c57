#include "base/format.hpp"
#include "base/gzip.hpp"
#include "base/json.hpp"
#include "catalog/entry_refresh.hpp"
#include "catalog/similarity.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::catalog {

// Of one type; with more different fixes than this they are not compared.
constexpr size_t k_most_compared = 64;

// Entries that are written in one transaction.
constexpr size_t k_batch = 500;

constexpr size_t k_longest_detail = 64UL * 1024 * 1024;

namespace {

struct Entry {
  long long number = 0;
  std::string folder;
  std::string fix;
  long long support = 0;
};

size_t find_leader(std::vector<size_t>& leaders, size_t i)
{
  while (leaders[i] != i) {
    leaders[i] = leaders[leaders[i]];
    i = leaders[i];
  }
  return i;
}

// How alike two fixes are, by their digests; what was computed once is kept in the index.
class Comparison {
public:
  Comparison(Database& database, const Schemes& schemes) : m_database(database), m_schemes(schemes)
  {
  }

  Result<double> similarity(const Entry& a, const Entry& b)
  {
    const auto& [first, second] = std::minmax(a.fix, b.fix);
    FL_TRY(Statement find,
           m_database.prepare("SELECT similarity FROM alike WHERE a = ? AND b = ?"));
    find.bind(1, first).bind(2, second);
    FL_TRY(const bool known, find.step());
    if (known) {
      return find.number(0);
    }
    const std::optional<source::FixTrees>& left = trees_of(a);
    const std::optional<source::FixTrees>& right = trees_of(b);
    const double similarity = left && right ? source::fix_similarity(*left, *right) : 0.0;
    FL_TRY(Statement keep, m_database.prepare("INSERT OR REPLACE INTO alike VALUES (?, ?, ?)"));
    FL_CHECK(keep.bind(1, first).bind(2, second).bind(3, similarity).run());
    return similarity;
  }

private:
  const std::optional<source::FixTrees>& trees_of(const Entry& entry)
  {
    const auto [found, is_new] = m_trees.emplace(entry.fix, std::nullopt);
    if (is_new) {
      if (const Result<Fault> fault = load_fault(entry.folder, m_schemes)) {
        found->second = fix_trees_of(*fault);
      }
    }
    return found->second;
  }

  Database& m_database;
  const Schemes& m_schemes;
  std::map<std::string, std::optional<source::FixTrees>> m_trees;
};

} // namespace

// Unite the entries of one type whose fixes are the same, or alike enough.
static Result<void> unite(const std::vector<size_t>& members,
                          const std::vector<Entry>& entries,
                          std::vector<size_t>& leaders,
                          Comparison& comparison)
{
  std::map<std::string, size_t> first; // of each fix
  for (const size_t member : members) {
    const auto [same, is_new] = first.emplace(entries[member].fix, member);
    if (!is_new) {
      leaders[find_leader(leaders, member)] = find_leader(leaders, same->second);
    }
  }
  if (first.size() > k_most_compared) {
    return {};
  }
  for (auto a = first.begin(); a != first.end(); ++a) {
    for (auto b = std::next(a); b != first.end(); ++b) {
      FL_TRY(const double similarity,
             comparison.similarity(entries[a->second], entries[b->second]));
      if (similarity >= k_same_fix) {
        leaders[find_leader(leaders, a->second)] = find_leader(leaders, b->second);
      }
    }
  }
  return {};
}

// Change the number in the texts of an entry.
static Result<void> rewrite(Database& database, const Entry& entry, long long support)
{
  FL_TRY(Statement texts,
         database.prepare("SELECT text, zipped FROM summary JOIN detail USING (entry) "
                          "WHERE entry = ?"));
  texts.bind(1, entry.number);
  FL_TRY(const bool found, texts.step());
  if (!found) {
    return {};
  }
  Json summary = parse_json(texts.text(0));
  FL_TRY(const std::string unzipped, gunzip(texts.text(1), k_longest_detail));
  Json detail = parse_json(unzipped);
  FL_ASSERT(summary.is_object() && detail.is_object(), "the index holds what was written");
  summary["support"] = support;
  detail["support"] = support;
  std::string line = print_json_line(summary);
  line.pop_back();
  FL_TRY(Statement set, database.prepare("UPDATE summary SET text = ? WHERE entry = ?"));
  FL_CHECK(set.bind(1, line).bind(2, entry.number).run());
  FL_TRY(Statement set_detail, database.prepare("UPDATE detail SET zipped = ? WHERE entry = ?"));
  FL_CHECK(set_detail.bind_blob(1, gzip(print_json_line(detail), 5)).bind(2, entry.number).run());
  FL_TRY(Statement note, database.prepare("UPDATE entry SET support = ? WHERE number = ?"));
  return note.bind(1, support).bind(2, entry.number).run();
}

static Result<void> update(Database& database, const Schemes& schemes)
{
  std::vector<Entry> entries;
  std::map<std::string, std::vector<size_t>> by_type;
  const auto type = static_cast<size_t>(std::ranges::find(k_facets, "type") - k_facets.begin());
  FL_TRY(Statement all,
         database.prepare("SELECT number, folder, fix, support, facets FROM entry "
                          "WHERE fix <> '' ORDER BY id"));
  while (true) {
    FL_TRY(const bool row, all.step());
    if (!row) {
      break;
    }
    const FacetValues facets = read_facets(all.text(4));
    for (const std::string& value : facets[type]) {
      by_type[value].push_back(entries.size());
    }
    entries.push_back({all.integer(0), all.text(1), all.text(2), all.integer(3)});
  }
  all.reset();
  std::vector<size_t> leaders(entries.size());
  std::iota(leaders.begin(), leaders.end(), size_t{0});
  Comparison comparison(database, schemes);
  for (const auto& [value, members] : by_type) {
    FL_CHECK(unite(members, entries, leaders, comparison));
  }
  std::vector<long long> sizes(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    ++sizes[find_leader(leaders, i)];
  }
  size_t written = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const long long support = sizes[find_leader(leaders, i)];
    if (support != entries[i].support) {
      FL_CHECK(rewrite(database, entries[i], support));
      if (++written % k_batch == 0) {
        FL_CHECK(database.execute("COMMIT; BEGIN IMMEDIATE"));
      }
    }
  }
  return {};
}

Result<bool> update_support(Database& database, const Schemes& schemes)
{
  FL_TRY(Statement uncounted, database.prepare("SELECT since FROM uncounted"));
  FL_TRY(const bool needed, uncounted.step());
  uncounted.reset();
  if (!needed) {
    return false;
  }
  FL_CHECK(database.execute("BEGIN IMMEDIATE"));
  Result<void> updated = update(database, schemes);
  if (updated) {
    updated = database.execute("DELETE FROM uncounted");
  }
  FL_CHECK(database.execute(updated ? "COMMIT" : "ROLLBACK"));
  FL_CHECK(updated);
  return true;
}

} // namespace faultline::catalog
