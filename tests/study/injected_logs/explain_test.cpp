#include "study/injected_logs/explain.hpp"

#include <gtest/gtest.h>

namespace faultline::study::injected {

namespace {

Difference explain(SymptomCounts published,
                   SymptomCounts recomputed,
                   SymptomCounts lists,
                   size_t without_log = 0)
{
  SymptomRow row;
  row.library = Library::tensorflow;
  row.mutation_operator = "NVR";
  row.published = published;
  row.recomputed = recomputed;
  row.lists = lists;
  row.without_log = without_log;
  return explain_operator(row, published_study());
}

} // namespace

TEST(Explain, EqualCountsNeedNoReason)
{
  EXPECT_TRUE(explain({1, 2, 3}, {1, 2, 3}, {0, 3, 3}).equal);
}

TEST(Explain, NamesWhatTheCountsBearOut)
{
  EXPECT_EQ(explain({61, 68, 0}, {66, 63, 0}, {61, 68, 0}).because,
            "the paper follows the authors' lists, where 5 results are recorded otherwise than in "
            "the log");
  EXPECT_EQ(
      explain({45, 47, 0}, {49, 41, 0}, {43, 47, 0}).because,
      "the paper follows the authors' lists (43/47/0); 2 mutants more in the paper (2 normal), "
      "not published");
  EXPECT_EQ(explain({9, 18, 0}, {9, 15, 0}, {9, 15, 0}, 5).because,
            "3 mutants more in the paper (3 crash), where 5 have no published log");
  EXPECT_EQ(explain({9, 18, 0}, {9, 15, 0}, {9, 15, 0}, 2).because,
            "3 mutants more in the paper (3 crash), not published");
  EXPECT_EQ(explain({16, 23, 1}, {16, 44, 1}, {16, 44, 1}).because,
            "21 mutants fewer in the paper (21 crash)");
  EXPECT_EQ(explain({94, 98, 0}, {96, 96, 0}, {91, 101, 0}).because,
            "of 5 runs that ended without a recorded accuracy the paper counts 2 as crash");
}

TEST(Explain, LeavesOpenWhatNothingBearsOut)
{
  EXPECT_TRUE(explain({39, 42, 0}, {37, 44, 0}, {36, 45, 0}).unexplained());
  EXPECT_TRUE(explain({10, 5, 0}, {9, 5, 1}, {9, 5, 1}).unexplained());
  EXPECT_TRUE(explain({10, 5, 0}, {12, 2, 0}, {12, 2, 0}).unexplained());
}

TEST(Explain, WhatIsOnlyMissingHereExplainsNothing)
{
  SymptomRow row;
  row.library = Library::theano;
  row.mutation_operator = "ArOR";
  row.published = {9, 18, 0};
  row.recomputed = {9, 15, 0};
  row.lists = {9, 15, 0};
  EXPECT_FALSE(explain_operator(row, published_study()).unexplained());
  row.complete = false;
  EXPECT_TRUE(explain_operator(row, published_study()).unexplained());
}

TEST(Explain, AKnownDifferenceHoldsForItsCountsOnly)
{
  SymptomRow row;
  row.library = Library::keras;
  row.mutation_operator = "ArOR";
  row.published = {39, 42, 0};
  row.recomputed = {37, 44, 0};
  row.lists = {36, 45, 0};
  EXPECT_FALSE(explain_operator(row, published_study()).unexplained());
  row.recomputed = {38, 43, 0};
  row.lists = {38, 43, 0};
  EXPECT_TRUE(explain_operator(row, published_study()).unexplained());
}

TEST(Explain, ALibraryDiffersByItsOperators)
{
  SymptomRow part;
  part.library = Library::keras;
  part.mutation_operator = "NVR";
  part.published = {5, 5, 0};
  part.recomputed = {5, 7, 0};
  part.difference = {false, "why"};
  SymptomRow whole;
  whole.library = Library::keras;
  whole.published = {5, 5, 0};
  whole.recomputed = {5, 7, 0};
  EXPECT_EQ(explain_library(whole, std::vector{part}, {}).because,
            "the sum of table V: NVR +0/+2/+0");
  whole.recomputed = {5, 8, 0};
  EXPECT_TRUE(explain_library(whole, std::vector{part}, {}).unexplained());
  whole.recomputed = {5, 7, 0};
  part.difference = {false, ""};
  EXPECT_TRUE(explain_library(whole, std::vector{part}, {}).unexplained());
}

TEST(Explain, PublishedTablesAddUp)
{
  const Published& published = published_study();
  for (const Library library : k_libraries) {
    SymptomCounts sum;
    for (const auto& [name, counts] : published.operators.at(library)) {
      sum.normal += counts.normal;
      sum.crash += counts.crash;
      sum.hang += counts.hang;
    }
    EXPECT_EQ(sum, published.symptoms.at(library)) << name_of(library);
  }
}

TEST(Explain, ABadFileOfPublishedCountsIsRefused)
{
  EXPECT_FALSE(parse_published("", "p.toml"));
  EXPECT_FALSE(parse_published("[symptoms]\ntheano = [1, 2]\n", "p.toml"));
}

} // namespace faultline::study::injected
