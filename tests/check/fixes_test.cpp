#include "check/fixes.hpp"

#include <gtest/gtest.h>

namespace faultline::check {

namespace fs = std::filesystem;

TEST(Fixes, AreAppliedUnlessTheyTouchEachOther)
{
  const Result<TempDir> place = TempDir::create();
  ASSERT_TRUE(place);
  const std::string file = (place->path() / "a.py").string();
  ASSERT_TRUE(write_file(file, "abcdef\n"));
  Report report;
  report.files.add(file, "abcdef\n");
  const auto finding = [&file](size_t begin, size_t end, std::string text, bool safe) {
    source::Finding found;
    found.fix = source::Fix{"mend", safe, {{file, {{begin, end, std::move(text)}}}}};
    return found;
  };
  report.findings = {finding(0, 1, "X", true),
                     finding(0, 2, "Y", true),
                     finding(3, 4, "Z", false),
                     finding(5, 6, "W", true)};
  const Result<FixedFiles> safe = apply_fixes(report, FixLevel::safe, {file});
  ASSERT_TRUE(safe);
  EXPECT_EQ(safe->after.at(file), "XbcdeW\n");
  EXPECT_EQ(safe->fixed, 2U);
  EXPECT_EQ(safe->postponed, 1U);
  const Result<FixedFiles> all = apply_fixes(report, FixLevel::all, {file});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->after.at(file), "XbcZeW\n");
  const Result<FixedFiles> none = apply_fixes(report, FixLevel::all, {"other.py"});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->after.empty()) << "the file was not given to be fixed";

  fs::permissions(file, fs::perms(0755));
  ASSERT_TRUE(write_fixes(*all));
  EXPECT_EQ(*read_file(file), "XbcZeW\n");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0755));
  const Result<void> again = write_fixes(*all);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().line(), file + " changed while it was checked; nothing is written to it");
}

} // namespace faultline::check
