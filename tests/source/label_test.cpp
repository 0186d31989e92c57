#include "base/file.hpp"
#include "base/toml.hpp"
#include "source/label.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace faultline::source {

namespace {

// The leaves of a scheme; every label of a flat one is a leaf.
std::vector<std::string> leaves_of(const std::string& file)
{
  const std::string path = FL_SOURCE_DIR "/taxonomy/" + file;
  const Result<std::string> text = read_file(path);
  const Result<toml::table> table = parse_toml(text ? *text : "", path);
  std::vector<std::string> leaves;
  if (table && (*table)["node"].is_array()) {
    for (const toml::node& node : *(*table)["node"].as_array()) {
      const toml::table& label = *node.as_table();
      if (label["leaf"].value_or(true)) {
        leaves.push_back(label["id"].value_or(std::string()));
      }
    }
  }
  return leaves;
}

template <typename Scheme> std::vector<std::string> known()
{
  return {std::ranges::begin(Scheme::k_labels), std::ranges::end(Scheme::k_labels)};
}

} // namespace

TEST(Label, IsOneOfTheLeavesOfTheTaxonomy)
{
  EXPECT_EQ(known<FaultTypes>(), leaves_of("types.toml"));
  EXPECT_EQ(known<FixPatterns>(), leaves_of("fix_patterns.toml"));
  EXPECT_EQ(known<FaultTypes>().size(), 92U);
}

TEST(Label, IsWrittenAsInAFault)
{
  constexpr FaultType type = "api/missing-api-call";
  EXPECT_EQ(type.id(), "api/missing-api-call");
  EXPECT_EQ(type, FaultType("api/missing-api-call"));
  EXPECT_NE(type, FaultType("api/wrong-api-usage"));
}

} // namespace faultline::source
