#include "base/file.hpp"
#include "catalog/data_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::catalog {

TEST(DataSets, AreFoldersOfInstalledPackages)
{
  for (const auto& [name, folder] : data_sets()) {
    EXPECT_TRUE(folder.starts_with("node_modules/")) << name;
    EXPECT_TRUE(is_inner_path(folder)) << name;
  }
}

TEST(DataSets, AreThoseThatFaultsCanName)
{
  EXPECT_THAT(data_sets(),
              testing::UnorderedElementsAre(testing::Key("mnist"), testing::Key("spam")));
}

} // namespace faultline::catalog
