#include "provision/lock.hpp"

#include <gtest/gtest.h>

namespace faultline::provision {

static environment::Description tiny()
{
  environment::Description one;
  one.name = "tiny";
  one.python = "3.11";
  one.requirements = {"tiny", "other<2"};
  return one;
}

TEST(Lock, HasEachPackageOfPipsReportWithItsDigestSorted)
{
  const auto lock = lock_of_report(R"({"install": [
    {"metadata": {"name": "tiny", "version": "1.0"},
     "download_info": {"archive_info": {"hash": "sha256=aa"}}},
    {"metadata": {"name": "other", "version": "1.9"},
     "download_info": {"archive_info": {"hash": "sha256=bb"}}}]})",
                                   tiny());
  ASSERT_TRUE(lock) << lock.error().line();
  EXPECT_EQ(*lock,
            "# Python 3.11, made by `faultline env lock tiny` from tiny other<2\n"
            "other==1.9 --hash=sha256:bb\ntiny==1.0 --hash=sha256:aa\n");
}

TEST(Lock, IsNotMadeFromHalfAReport)
{
  EXPECT_EQ(lock_of_report("nothing", tiny()).error().line(), "pip's report cannot be read");
  EXPECT_EQ(
      lock_of_report(R"({"install": [{"metadata": {"name": "tiny", "version": "1.0"}}]})", tiny())
          .error()
          .line(),
      "pip's report has no digest of `tiny`");
}

} // namespace faultline::provision
