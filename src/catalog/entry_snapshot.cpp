#include "catalog/entry_snapshot.hpp"

#include <algorithm>
#include <numeric>

namespace faultline::catalog {

static size_t facet_number(std::string_view name)
{
  return static_cast<size_t>(std::ranges::find(k_facets, name) - k_facets.begin());
}

static void set_at(std::vector<uint32_t>& table, uint32_t key, uint32_t value)
{
  if (key >= table.size()) {
    table.resize(key + 1 + key / 4, k_no_entry);
  }
  table[key] = value;
}

void EntrySnapshot::add(uint32_t number, std::string title, const FacetValues& values)
{
  const auto place = static_cast<uint32_t>(m_numbers.size());
  m_numbers.push_back(number);
  m_proved.push_back(Proved::unknown);
  m_titles.push_back(std::move(title));
  set_at(m_place_of_number, number, place);
  for (size_t facet = 0; facet < k_facets.size(); ++facet) {
    Column& column = m_columns[facet];
    std::string key;
    for (const std::string& value : values[facet]) {
      key += value + '\n';
    }
    const auto [code, is_new] =
        column.code_of.emplace(std::move(key), static_cast<uint32_t>(column.sets.size()));
    if (is_new) {
      std::vector<uint32_t> numbers;
      for (const std::string& value : values[facet]) {
        const auto [number_of, is_new_value] =
            column.number_of.emplace(value, static_cast<uint32_t>(column.values.size()));
        if (is_new_value) {
          column.values.push_back(value);
        }
        numbers.push_back(number_of->second);
      }
      column.sets.push_back(std::move(numbers));
      column.above.push_back(k_facets[facet] == "type" ? nodes_above(column, values[facet])
                                                       : std::vector<uint32_t>());
    }
    column.codes.push_back(code->second);
  }
  m_active += values[facet_number("status")].front() == "active" ? 1 : 0;
}

void EntrySnapshot::finish(std::shared_ptr<const TokenIndex> tokens)
{
  m_tokens = std::move(tokens);
  std::vector<uint32_t> ids(size());
  std::iota(ids.begin(), ids.end(), 0U);
  for (const std::string_view sort : k_entry_sorts) {
    std::vector<uint32_t> order = ids;
    if (const size_t facet = facet_number(sort); facet < k_facets.size()) {
      const Column& column = m_columns[facet];
      std::vector<uint32_t> codes(column.sets.size());
      std::iota(codes.begin(), codes.end(), 0U);
      const auto value_of = [&column](uint32_t number) -> std::string_view {
        return column.values[number];
      };
      std::ranges::sort(codes, [&](uint32_t left, uint32_t right) {
        return std::ranges::lexicographical_compare(
            column.sets[left], column.sets[right], {}, value_of, value_of);
      });
      std::vector<uint32_t> rank(codes.size());
      for (uint32_t i = 0; i < codes.size(); ++i) {
        rank[codes[i]] = i;
      }
      std::ranges::stable_sort(
          order, {}, [&](uint32_t place) { return rank[column.codes[place]]; });
    } else if (sort == "title") {
      std::ranges::stable_sort(
          order, {}, [this](uint32_t place) { return std::string_view(m_titles[place]); });
    } else if (sort != "id") {
      continue;
    }
    m_orders.emplace(sort, std::move(order));
  }
  m_titles = {};
  order_by_proof();
}

void EntrySnapshot::order_by_proof()
{
  std::vector<uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [this](uint32_t place) { return m_proved[place]; });
  m_orders["proved"] = std::move(order);
}

std::shared_ptr<const EntrySnapshot> EntrySnapshot::with_proofs(const EntrySnapshot& old,
                                                                std::vector<Proved> proved)
{
  auto copy = std::make_shared<EntrySnapshot>(old);
  copy->m_proved = std::move(proved);
  copy->order_by_proof();
  return copy;
}

// The key of a set of filters and words.
static std::string key_of(const EntryQuery& query)
{
  std::string key = query.words;
  for (const auto& [facet, values] : query.filters) {
    key += '\x1e' + facet;
    for (const std::string& value : values) {
      key += '\x1f' + value;
    }
  }
  return key;
}

std::vector<uint32_t> EntrySnapshot::nodes_above(Column& column,
                                                 const std::vector<std::string>& values)
{
  std::vector<uint32_t> numbers;
  for (const std::string& value : values) {
    for (size_t end = value.find('/'); end != std::string::npos; end = value.find('/', end + 1)) {
      const std::string node = value.substr(0, end);
      const auto known = std::ranges::find(column.nodes, node);
      const auto number = static_cast<uint32_t>(known - column.nodes.begin());
      if (known == column.nodes.end()) {
        column.nodes.push_back(node);
      }
      if (std::ranges::find(numbers, number) == numbers.end()) {
        numbers.push_back(number);
      }
    }
  }
  return numbers;
}

std::vector<FacetCount> EntrySnapshot::count(size_t facet,
                                             const std::vector<uint32_t>& places,
                                             const std::vector<uint32_t>& near,
                                             const std::vector<std::string>& asked) const
{
  const Column& column = m_columns[facet];
  std::vector<uint32_t> by_code(column.sets.size());
  for (const std::vector<uint32_t>* list : {&places, &near}) {
    for (const uint32_t place : *list) {
      ++by_code[column.codes[place]];
    }
  }
  std::vector<size_t> by_value(column.values.size());
  for (size_t code = 0; code < by_code.size(); ++code) {
    for (const uint32_t number : column.sets[code]) {
      by_value[number] += by_code[code];
    }
  }
  std::vector<size_t> by_node(column.nodes.size());
  for (size_t code = 0; code < by_code.size(); ++code) {
    for (const uint32_t number : column.above[code]) {
      by_node[number] += by_code[code];
    }
  }
  std::vector<FacetCount> counts;
  const auto add = [&counts](const std::vector<std::string>& names,
                             const std::vector<size_t>& counted) {
    for (size_t number = 0; number < counted.size(); ++number) {
      if (counted[number] > 0) {
        counts.push_back({names[number], counted[number]});
      }
    }
  };
  add(column.values, by_value);
  add(column.nodes, by_node);
  for (const std::string& value : asked) {
    // A value that was asked for is listed even if no entry has it.
    if (std::ranges::find(counts, value, &FacetCount::value) == counts.end()) {
      counts.push_back({value, 0});
    }
  }
  std::ranges::sort(counts, [](const FacetCount& a, const FacetCount& b) {
    return a.count != b.count ? a.count > b.count : a.value < b.value;
  });
  return counts;
}

std::shared_ptr<const Hits> EntrySnapshot::search(const EntryQuery& query) const
{
  const std::vector<std::string> tokens = tokens_of(query.words);
  if (tokens.empty()) {
    return nullptr;
  }
  std::string key;
  for (const std::string& token : tokens) {
    key += token + ' ';
  }
  if (std::shared_ptr<const Hits> known = m_recent_hits->find(key)) {
    return known;
  }
  auto hits = std::make_shared<const Hits>(m_tokens->find(tokens));
  m_recent_hits->put(key, hits);
  return hits;
}

std::shared_ptr<const Selection> EntrySnapshot::select(const EntryQuery& query,
                                                       const Hits* hits) const
{
  const std::string key = key_of(query);
  if (std::shared_ptr<const Selection> known = m_recent->find(key)) {
    return known;
  }
  struct Sieve {
    size_t facet;
    const std::vector<uint32_t>* codes;
    std::vector<uint8_t> passes; // by code
    std::vector<uint32_t> near;  // what only this one holds back
  };
  std::vector<Sieve> sieves;
  for (const auto& filter : query.filters) { // clang 14 cannot capture the names of a pair
    const std::string& name = filter.first;
    const std::vector<std::string>& wanted = filter.second;
    const size_t facet = facet_number(name);
    if (facet == k_facets.size() || wanted.empty()) {
      continue;
    }
    const bool is_tree = name == "type";
    const auto wants = [&](const std::string& value) {
      return std::ranges::any_of(wanted, [&](const std::string& asked) {
        return is_tree ? is_within(value, asked) : value == asked;
      });
    };
    sieves.push_back({facet, &m_columns[facet].codes, having(m_columns[facet], wants), {}});
  }
  auto selection = std::make_shared<Selection>();
  const auto sift = [&](uint32_t place) {
    Sieve* holds = nullptr;
    for (Sieve& sieve : sieves) {
      if (sieve.passes[(*sieve.codes)[place]] == 0) {
        if (holds != nullptr) {
          return;
        }
        holds = &sieve;
      }
    }
    (holds == nullptr ? selection->places : holds->near).push_back(place);
  };
  if (hits != nullptr) {
    std::ranges::for_each(hits->places, sift);
  } else {
    for (uint32_t place = 0; place < size(); ++place) {
      sift(place);
    }
  }
  for (size_t facet = 0; facet < k_facets.size(); ++facet) {
    static const std::vector<uint32_t> k_none;
    static const std::vector<std::string> k_nothing;
    const auto sieve = std::ranges::find(sieves, facet, &Sieve::facet);
    const std::string name(k_facets[facet]);
    selection->facets.emplace_back(
        name,
        count(facet,
              selection->places,
              sieve == sieves.end() ? k_none : sieve->near,
              sieve == sieves.end() ? k_nothing : query.filters.at(name)));
  }
  m_recent->put(key, selection);
  return selection;
}

std::vector<uint32_t> EntrySnapshot::page(const Selection& selection,
                                          const EntryQuery& query,
                                          const Hits* hits,
                                          bool whole) const
{
  const size_t offset = whole ? 0 : query.offset;
  const size_t limit = whole ? selection.places.size() : query.limit;
  std::vector<uint32_t> places;
  if (offset >= selection.places.size() || limit == 0) {
    return places;
  }
  const bool ranked = query.sort == "relevance" && hits != nullptr;
  const auto named = m_orders.find(query.sort);
  const std::vector<uint32_t>& order =
      ranked ? hits->ranked : (named == m_orders.end() ? m_orders.at("id") : named->second);
  std::vector<bool> selected(size());
  for (const uint32_t place : selection.places) {
    selected[place] = true;
  }
  size_t passed = 0;
  for (size_t i = 0; i < order.size() && places.size() < limit; ++i) {
    const uint32_t place = order[query.descending ? order.size() - 1 - i : i];
    if (selected[place] && passed++ >= offset) {
      places.push_back(place);
    }
  }
  return places;
}

std::vector<uint32_t> EntrySnapshot::related(uint32_t place, size_t limit) const
{
  // What two faults with the same fix most likely share, and how much that says.
  static const std::vector<std::pair<size_t, uint32_t>> k_weights = {
      {facet_number("type"), 8},
      {facet_number("fix_pattern"), 4},
      {facet_number("category"), 2},
      {facet_number("property"), 2},
      {facet_number("symptom"), 1},
      {facet_number("framework"), 1}};
  const Column& languages = m_columns[facet_number("language")];
  const Column& statuses = m_columns[facet_number("status")];
  const std::vector<uint8_t> is_active =
      having(statuses, [](const std::string& value) { return value == "active"; });
  std::vector<uint32_t> scores(size());
  for (const auto& [facet, weight] : k_weights) {
    const Column& column = m_columns[facet];
    const std::vector<uint32_t>& own = column.sets[column.codes[place]];
    const std::vector<uint8_t> shares = having(column, [&](const std::string& value) {
      return std::ranges::find(own, column.number_of.at(value)) != own.end();
    });
    for (size_t i = 0; i < size(); ++i) {
      scores[i] += shares[column.codes[i]] * weight;
    }
  }
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < size(); ++i) {
    if (i != place && scores[i] > 1 && languages.codes[i] == languages.codes[place] &&
        is_active[statuses.codes[i]] != 0) {
      others.push_back(i);
    }
  }
  const size_t count = std::min(limit, others.size());
  std::ranges::partial_sort(
      others, others.begin() + static_cast<std::ptrdiff_t>(count), [&](uint32_t a, uint32_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
      });
  others.resize(count);
  return others;
}

} // namespace faultline::catalog
