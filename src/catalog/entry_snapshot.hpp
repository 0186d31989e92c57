#pragma once

// What is held in memory of all entries: some numbers of each, in columns. No text.

#include "catalog/entry_index.hpp"
#include "catalog/token_index.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::catalog {

// The values of each facet that an entry has, in the order of k_facets.
using FacetValues = std::array<std::vector<std::string>, k_facets.size()>;

// Stands for a missing entry.
inline constexpr uint32_t k_no_entry = UINT32_MAX;

// The entries that pass the filters of a query, and how many have which value.
struct Selection {
  std::vector<uint32_t> places; // in the order of ids
  std::vector<std::pair<std::string, std::vector<FacetCount>>> facets;
};

// The entries in which words occur.
using Hits = TokenIndex::Found;

// A few of the latest results, by query. Safe to use from several threads.
template <typename T> class Recent {
public:
  explicit Recent(size_t most) : m_most(most) {}

  std::shared_ptr<const T> find(const std::string& key)
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_at.find(key);
    if (found == m_at.end()) {
      return nullptr;
    }
    m_items.splice(m_items.begin(), m_items, found->second);
    return found->second->second;
  }

  void put(const std::string& key, std::shared_ptr<const T> value)
  {
    const std::lock_guard lock(m_mutex);
    if (m_at.contains(key)) {
      return; // another thread computed the same meanwhile
    }
    m_items.emplace_front(key, std::move(value));
    m_at[key] = m_items.begin();
    if (m_items.size() > m_most) {
      m_at.erase(m_items.back().first);
      m_items.pop_back();
    }
  }

private:
  using Item = std::pair<std::string, std::shared_ptr<const T>>;

  const size_t m_most;
  std::mutex m_mutex;
  std::list<Item> m_items; // the newest first
  std::unordered_map<std::string, typename std::list<Item>::iterator> m_at;
};

// All entries as they were at one moment. A place is the rank of an entry in the order of ids.
class EntrySnapshot {
public:
  // Add the entries in the order of their ids, then `finish`.
  void add(uint32_t number, std::string title, const FacetValues& values);
  void finish(std::shared_ptr<const TokenIndex> tokens);

  // The same entries with other proofs.
  static std::shared_ptr<const EntrySnapshot> with_proofs(const EntrySnapshot& old,
                                                          std::vector<Proved> proved);

  size_t size() const { return m_numbers.size(); }
  size_t active() const { return m_active; }
  uint32_t number_at(uint32_t place) const { return m_numbers[place]; }
  Proved proved_at(uint32_t place) const { return m_proved[place]; }
  uint32_t place_of_number(uint32_t number) const { return at(m_place_of_number, number); }

  // Where the words of a query occur; null if it has none.
  std::shared_ptr<const Hits> search(const EntryQuery& query) const;
  // `hits` may be null.
  std::shared_ptr<const Selection> select(const EntryQuery& query, const Hits* hits) const;
  // The places of a selection that are on the query's page, in its order; with `whole`, all.
  std::vector<uint32_t>
  page(const Selection& selection, const EntryQuery& query, const Hits* hits, bool whole) const;

  // The places of other active entries with labels in common, most in common first.
  std::vector<uint32_t> related(uint32_t place, size_t limit) const;

private:
  // A facet of all entries: a code each, which stands for a set of values.
  struct Column {
    std::vector<uint32_t> codes;
    std::vector<std::vector<uint32_t>> sets; // by code: numbers of values
    std::vector<std::string> values;         // by number
    std::unordered_map<std::string, uint32_t> code_of;
    std::unordered_map<std::string, uint32_t> number_of;
    // Values that are leaves of a tree have nodes above them, each once for a set: what belongs to
    // two leaves below a node belongs to that node once.
    std::vector<std::vector<uint32_t>> above; // by code: numbers of nodes
    std::vector<std::string> nodes;           // by number
  };

  static std::vector<uint32_t> nodes_above(Column& column, const std::vector<std::string>& values);

  // By code: whether the set has a value for which `wants` holds.
  template <typename Wants> static std::vector<uint8_t> having(const Column& column, Wants wants)
  {
    std::vector<uint8_t> wanted;
    for (const std::string& value : column.values) {
      wanted.push_back(wants(value) ? 1 : 0);
    }
    std::vector<uint8_t> has;
    for (const std::vector<uint32_t>& set : column.sets) {
      uint8_t any = 0;
      for (const uint32_t number : set) {
        any |= wanted[number];
      }
      has.push_back(any);
    }
    return has;
  }

  static uint32_t at(const std::vector<uint32_t>& table, uint32_t key)
  {
    return key < table.size() ? table[key] : k_no_entry;
  }
  void order_by_proof();
  std::vector<FacetCount> count(size_t facet,
                                const std::vector<uint32_t>& places,
                                const std::vector<uint32_t>& near,
                                const std::vector<std::string>& asked) const;

  std::vector<uint32_t> m_numbers;
  std::vector<Proved> m_proved;
  std::vector<uint32_t> m_place_of_number;
  std::array<Column, k_facets.size()> m_columns;
  std::map<std::string, std::vector<uint32_t>> m_orders; // sort → places
  std::vector<std::string> m_titles;                     // only until `finish`
  std::shared_ptr<const TokenIndex> m_tokens;
  size_t m_active = 0;
  std::shared_ptr<Recent<Selection>> m_recent = std::make_shared<Recent<Selection>>(16);
  std::shared_ptr<Recent<Hits>> m_recent_hits = std::make_shared<Recent<Hits>>(16);
};

} // namespace faultline::catalog
