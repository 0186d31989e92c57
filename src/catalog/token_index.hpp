#pragma once

// Which entries a word occurs in, held in memory: a search looks at no text and no file. SQLite's
// FTS5 takes tens of milliseconds to name 100,000 hits of a common word; this takes less than one.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::catalog {

struct Document;

// Runs of ASCII letters and digits and of other bytes above them, in lower case, each once and
// sorted. No input is treated as syntax.
std::vector<std::string> tokens_of(std::string_view text);

// Where words occur, the most important place first.
inline constexpr size_t k_token_fields = 3; // title; labels and texts; code

// The words of a document by field, each in the first field that has it.
struct DocumentTokens {
  std::vector<std::string> fields[k_token_fields];
};
DocumentTokens tokens_of(const Document& document);

// Numbers of words as bytes, and back.
std::string pack_numbers(const std::vector<uint32_t>& sorted);
std::vector<uint32_t> unpack_numbers(std::string_view bytes);

// Places in rising order: a list of distances while there are few, then a bit for every place.
class PlaceSet {
public:
  void add(uint32_t place, size_t places);
  // Set the bits of its places.
  void mark(std::vector<uint64_t>& bits) const;

private:
  std::vector<uint8_t> m_distances;
  std::vector<uint64_t> m_bits;
  uint32_t m_last = 0;
  uint32_t m_count = 0;
};

class TokenIndex {
public:
  struct Found {
    std::vector<uint32_t> places; // in rising order
    std::vector<uint32_t> ranked; // those with the words in weightier fields first
  };

  // `words` are all that occur, by number; `places` is how many places there will be.
  TokenIndex(std::map<std::string, uint32_t> words, size_t places);

  // The words of the next place, by field.
  void add(uint32_t place, size_t field, const std::vector<uint32_t>& numbers);

  // The places in which every token occurs, or a word that starts with it.
  Found find(const std::vector<std::string>& tokens) const;

private:
  size_t m_places;
  std::vector<std::string> m_words;             // sorted
  std::vector<uint32_t> m_rank_of;              // number → index in m_words
  std::vector<PlaceSet> m_sets[k_token_fields]; // by index in m_words
};

} // namespace faultline::catalog
