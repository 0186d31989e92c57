#include "base/file.hpp"
#include "evaluate/tool_identity.hpp"

#include <gtest/gtest.h>

namespace faultline::evaluate {

TEST(ToolIdentity, OurOwnToolsAreTheirBinaryTheirProbesAndTheTaxonomy)
{
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(folder);
  const OwnTools own{folder->path() / "bin" / "faultline", folder->path()};
  FileTree files = {{"bin/faultline", "binary"},
                    {"probes/watch.py", "probe"},
                    {"taxonomy/types.toml", "types"},
                    {"docs/page.md", "page"}};
  ASSERT_TRUE(write_tree(folder->path(), files));
  ToolIdentities identities;
  std::string last = identities.digest_of(own);
  EXPECT_EQ(identities.digest_of(own), last);
  for (const char* name : {"bin/faultline", "probes/watch.py", "taxonomy/types.toml"}) {
    ASSERT_TRUE(write_file(folder->path() / name, "what is longer than before"));
    const std::string now = identities.digest_of(own);
    EXPECT_NE(now, last) << name;
    last = now;
  }
  ASSERT_TRUE(write_file(folder->path() / "taxonomy" / "new.toml", "new"));
  EXPECT_NE(identities.digest_of(own), last);
  last = identities.digest_of(own);
  ASSERT_TRUE(write_file(folder->path() / "docs" / "page.md", "another page"));
  EXPECT_EQ(identities.digest_of(own), last);
}

} // namespace faultline::evaluate
