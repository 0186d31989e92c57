#include "catalog/text_document.hpp"
#include "catalog/token_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace faultline::catalog {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tokens, AreRunsOfLettersAndDigits)
{
  EXPECT_THAT(tokens_of("Zero_grad(x1) zero-GRAD"), ElementsAre("grad", "x1", "zero"));
  EXPECT_THAT(tokens_of("naïve ÄÖ"), ElementsAre("naïve", "ÄÖ"));
  EXPECT_THAT(tokens_of(" .,;'\"*() "), IsEmpty());
  EXPECT_THAT(tokens_of(std::string(100, 'a')), ElementsAre(std::string(40, 'a')));
}

TEST(Tokens, CountInTheWeightiestField)
{
  const DocumentTokens tokens =
      tokens_of(Document{"softmax twice", "softmax loss", "crash", "loss x"});
  EXPECT_THAT(tokens.fields[0], ElementsAre("softmax", "twice"));
  EXPECT_THAT(tokens.fields[1], ElementsAre("crash", "loss"));
  EXPECT_THAT(tokens.fields[2], ElementsAre("x"));
}

TEST(Numbers, ArePackedAndUnpacked)
{
  const std::vector<uint32_t> numbers = {0, 1, 127, 128, 300, 70000, 4000000000};
  EXPECT_EQ(unpack_numbers(pack_numbers(numbers)), numbers);
  EXPECT_THAT(unpack_numbers(""), IsEmpty());
}

// A dense set takes another form than a sparse one; both must hold what was added.
TEST(PlaceSet, HoldsWhatWasAdded)
{
  std::mt19937 random(1);
  for (const unsigned step : {1U, 2U, 7U, 100U, 900U}) {
    constexpr size_t k_places = 5000;
    PlaceSet set;
    std::vector<uint64_t> expected(k_places / 64 + 1);
    const auto skip = [&] { return static_cast<uint32_t>(random() % step); };
    for (uint32_t place = skip(); place < k_places; place += 1 + skip()) {
      set.add(place, k_places);
      expected[place / 64] |= uint64_t{1} << (place % 64);
    }
    std::vector<uint64_t> bits(k_places / 64 + 1);
    set.mark(bits);
    EXPECT_EQ(bits, expected) << step;
  }
}

TEST(TokenIndex, FindsPlacesWithEveryWordOrALongerOne)
{
  TokenIndex index({{"loss", 1}, {"losses", 2}, {"softmax", 3}, {"tensor", 7}}, 4);
  index.add(0, 2, {1, 3});
  index.add(1, 0, {2});
  index.add(2, 1, {3});
  index.add(3, 0, {1});
  index.add(3, 1, {3});
  EXPECT_THAT(index.find({"loss"}).places, ElementsAre(0, 1, 3));
  EXPECT_THAT(index.find({"losses"}).places, ElementsAre(1));
  EXPECT_THAT(index.find({"loss", "soft"}).places, ElementsAre(0, 3));
  EXPECT_THAT(index.find({"tensor"}).places, IsEmpty());
  EXPECT_THAT(index.find({"zebra"}).places, IsEmpty());
  EXPECT_THAT(index.find({"loss"}).ranked, ElementsAre(1, 3, 0)) << "titles first";
  EXPECT_THAT(index.find({"loss", "soft"}).ranked, ElementsAre(3, 0));
}

TEST(TokenIndex, AgreesWithLookingAtEveryPlace)
{
  std::mt19937 random(2);
  constexpr uint32_t k_places = 3000;
  std::map<std::string, uint32_t> words;
  for (uint32_t i = 0; i < 200; ++i) {
    words["w" + std::to_string(i)] = i;
  }
  TokenIndex index(words, k_places);
  std::vector<std::set<uint32_t>> has(k_places);
  for (uint32_t place = 0; place < k_places; ++place) {
    for (size_t field = 0; field < k_token_fields; ++field) {
      std::set<uint32_t> numbers;
      for (int i = 0; i < 5; ++i) {
        const double share = std::uniform_real_distribution<>(0, 1)(random);
        const auto number = static_cast<uint32_t>(200 * share * share * share);
        if (has[place].insert(number).second) {
          numbers.insert(number);
        }
      }
      index.add(place, field, {numbers.begin(), numbers.end()});
    }
  }
  for (const std::string token : {"w", "w0", "w1", "w19", "w199"}) {
    std::vector<uint32_t> expected;
    for (uint32_t place = 0; place < k_places; ++place) {
      if (std::ranges::any_of(has[place], [&token](uint32_t number) {
            return ("w" + std::to_string(number)).starts_with(token);
          })) {
        expected.push_back(place);
      }
    }
    EXPECT_EQ(index.find({token}).places, expected) << token;
  }
}

} // namespace faultline::catalog
