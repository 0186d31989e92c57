#include "catalog/token_index.hpp"

#include "catalog/text_document.hpp"

#include <algorithm>
#include <bit>

namespace faultline::catalog {

// Longer words are data that nobody searches for.
constexpr size_t k_longest_token = 40;

// A list with one place in this many takes about as much as the bits.
constexpr size_t k_dense = 12;

static bool is_word_byte(unsigned char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}

std::vector<std::string> tokens_of(std::string_view text)
{
  std::vector<std::string> tokens;
  std::string token;
  for (size_t i = 0; i <= text.size(); ++i) {
    const auto c = static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
    if (is_word_byte(c)) {
      if (token.size() < k_longest_token) {
        token += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
      }
    } else if (!token.empty()) {
      tokens.push_back(std::move(token));
      token.clear();
    }
  }
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

DocumentTokens tokens_of(const Document& document)
{
  DocumentTokens all;
  all.fields[0] = tokens_of(document.title);
  all.fields[1] = tokens_of(document.labels + " " + document.text);
  all.fields[2] = tokens_of(document.code);
  for (size_t field = 1; field < k_token_fields; ++field) {
    for (size_t before = 0; before < field; ++before) {
      std::erase_if(all.fields[field], [&](const std::string& token) {
        return std::ranges::binary_search(all.fields[before], token);
      });
    }
  }
  return all;
}

// Seven bits a byte; the last byte of a number has the eighth clear.
template <typename Bytes> static void append_number(Bytes& bytes, uint32_t number)
{
  while (number >= 0x80) {
    bytes.push_back(static_cast<typename Bytes::value_type>(number | 0x80));
    number >>= 7;
  }
  bytes.push_back(static_cast<typename Bytes::value_type>(number));
}

// Calls `visit` with each of the numbers whose distances are in `bytes`.
template <typename Bytes, typename Visit> static void each_number(const Bytes& bytes, Visit visit)
{
  uint32_t last = 0;
  uint32_t number = 0;
  unsigned shift = 0;
  for (const auto raw : bytes) {
    const auto byte = static_cast<uint8_t>(raw);
    number |= static_cast<uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) == 0) {
      last += number;
      visit(last);
      number = 0;
      shift = 0;
    }
  }
}

std::string pack_numbers(const std::vector<uint32_t>& sorted)
{
  std::string bytes;
  uint32_t last = 0;
  for (const uint32_t number : sorted) {
    append_number(bytes, number - last);
    last = number;
  }
  return bytes;
}

std::vector<uint32_t> unpack_numbers(std::string_view bytes)
{
  std::vector<uint32_t> numbers;
  each_number(bytes, [&numbers](uint32_t number) { numbers.push_back(number); });
  return numbers;
}

static void set_bit(std::vector<uint64_t>& bits, uint32_t place)
{
  bits[place / 64] |= uint64_t{1} << (place % 64);
}

void PlaceSet::add(uint32_t place, size_t places)
{
  ++m_count;
  if (!m_bits.empty()) {
    set_bit(m_bits, place);
    return;
  }
  append_number(m_distances, place - m_last);
  m_last = place;
  if (m_count > 64 && m_count > places / k_dense) {
    std::vector<uint64_t> bits(places / 64 + 1);
    mark(bits);
    m_bits = std::move(bits);
    m_distances = {};
  }
}

void PlaceSet::mark(std::vector<uint64_t>& bits) const
{
  if (m_bits.empty()) {
    each_number(m_distances, [&bits](uint32_t place) { set_bit(bits, place); });
    return;
  }
  for (size_t i = 0; i < m_bits.size(); ++i) {
    bits[i] |= m_bits[i];
  }
}

TokenIndex::TokenIndex(std::map<std::string, uint32_t> words, size_t places) : m_places(places)
{
  for (auto& [word, number] : words) {
    if (number >= m_rank_of.size()) {
      m_rank_of.resize(number + 1, UINT32_MAX);
    }
    m_rank_of[number] = static_cast<uint32_t>(m_words.size());
    m_words.push_back(word);
  }
  for (std::vector<PlaceSet>& sets : m_sets) {
    sets.resize(m_words.size());
  }
}

void TokenIndex::add(uint32_t place, size_t field, const std::vector<uint32_t>& numbers)
{
  for (const uint32_t number : numbers) {
    if (number < m_rank_of.size() && m_rank_of[number] != UINT32_MAX) {
      m_sets[field][m_rank_of[number]].add(place, m_places);
    }
  }
}

TokenIndex::Found TokenIndex::find(const std::vector<std::string>& tokens) const
{
  const size_t size = m_places / 64 + 1;
  std::vector<uint64_t> all(size, ~uint64_t{0});
  // Of each token the places in the title, in the title or texts, and anywhere.
  std::vector<std::vector<uint64_t>> weighty;
  for (const std::string& token : tokens) {
    const auto begin = std::ranges::lower_bound(m_words, token);
    auto end = begin;
    while (end != m_words.end() && end->starts_with(token)) {
      ++end;
    }
    std::vector<uint64_t> bits(size);
    for (const std::vector<PlaceSet>& sets : m_sets) {
      for (auto word = begin; word != end; ++word) {
        sets[static_cast<size_t>(word - m_words.begin())].mark(bits);
      }
      if (&sets != &m_sets[k_token_fields - 1]) {
        weighty.push_back(bits);
      }
    }
    for (size_t i = 0; i < size; ++i) {
      all[i] &= bits[i];
    }
  }
  Found found;
  std::vector<std::vector<uint32_t>> by_weight(weighty.size() + 1);
  for (size_t i = 0; i < size; ++i) {
    for (uint64_t left = all[i]; left != 0; left &= left - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(left));
      const auto place = static_cast<uint32_t>(i * 64 + bit);
      if (place >= m_places) {
        break;
      }
      size_t weight = 0;
      for (const std::vector<uint64_t>& bits : weighty) {
        weight += (bits[i] >> bit) & 1;
      }
      found.places.push_back(place);
      by_weight[weight].push_back(place);
    }
  }
  for (auto group = by_weight.rbegin(); group != by_weight.rend(); ++group) {
    found.ranked.insert(found.ranked.end(), group->begin(), group->end());
  }
  return found;
}

} // namespace faultline::catalog
