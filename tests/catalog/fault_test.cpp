#include "catalog/fault.hpp"
#include "catalog/fault_fixture.hpp"

#include <gtest/gtest.h>

namespace faultline::catalog {

namespace {

const std::string k_buggy = minimal_fault()["program/train.py"];

std::string with_print(const std::string& program)
{
  return replace_all(program, "print(loss)", "print(loss.item())");
}

std::string with_clear_after(const std::string& program)
{
  return replace_all(
      program, "    optimizer.step()\n", "    optimizer.step()\n    optimizer.zero_grad()\n");
}

void check(const Result<FileTree>& program, const std::string& expected)
{
  ASSERT_TRUE(program) << program.error().line();
  EXPECT_EQ(*program, (FileTree{{"train.py", expected}}));
}

class FaultTest : public ProjectTest {};

} // namespace

TEST_F(FaultTest, HasABuggyAndAFixedVersion)
{
  const Fault fault = loaded(minimal_fault());
  check(program_of(fault, Version::buggy), k_buggy);
  check(program_of(fault, Version::fixed), std::string(k_with_zero_grad));
}

TEST_F(FaultTest, TheFixOfAllPartsIsTheirEditsTogether)
{
  const Fault fault = loaded(two_part_fault());
  check(program_of(fault, Version::buggy), k_buggy);
  check(program_of(fault, Version::fixed), with_print(std::string(k_with_zero_grad)));
}

TEST_F(FaultTest, LeavesOutTheFixOfOnePart)
{
  const Fault fault = loaded(two_part_fault());
  check(program_without_fix(fault, fault.parts[0]), with_print(k_buggy));
  check(program_without_fix(fault, fault.parts[1]), std::string(k_with_zero_grad));
}

TEST_F(FaultTest, WithoutItsOnlyFixAProgramIsBuggy)
{
  const Fault fault = loaded(minimal_fault());
  check(program_without_fix(fault, fault.parts[0]), k_buggy);
}

TEST_F(FaultTest, AnAcceptedFixReplacesThatOfItsPartOnly)
{
  const Fault fault = loaded(two_part_fault());
  check(program_with(fault, fault.accepted[0]), with_print(with_clear_after(k_buggy)));
}

TEST_F(FaultTest, AnAcceptedFixOfTheOnlyPartReplacesTheFix)
{
  FileTree files = minimal_fault();
  files["fault.toml"] += "\n[[accepted]]\npatch = \"accepted/a.patch\"\nwhy = \"As good.\"\n";
  files["accepted/a.patch"] = two_part_fault()["accepted/clear-after.patch"];
  const Fault fault = loaded(files);
  check(program_with(fault, fault.accepted[0]), with_clear_after(k_buggy));
}

TEST_F(FaultTest, TheWholeFixIsOnePatch)
{
  for (const FileTree& files : {minimal_fault(), two_part_fault()}) {
    const Fault fault = loaded(files);
    const Result<source::Patch> fix = fix_of(fault);
    ASSERT_TRUE(fix) << fix.error().line();
    EXPECT_EQ(*source::apply_patch(*fix, fault.program), *program_of(fault, Version::fixed));
  }
}

TEST_F(FaultTest, AFixMayCreateAndRemoveFiles)
{
  FileTree files = minimal_fault();
  files["program/old.py"] = "x = 1\n";
  files["fix.patch"] += "--- a/old.py\n"
                        "+++ /dev/null\n"
                        "@@ -1 +0,0 @@\n"
                        "-x = 1\n"
                        "--- /dev/null\n"
                        "+++ b/model/new.py\n"
                        "@@ -0,0 +1 @@\n"
                        "+y = 2\n";
  const Fault fault = loaded(files);
  const Result<FileTree> fixed = program_of(fault, Version::fixed);
  ASSERT_TRUE(fixed) << fixed.error().line();
  EXPECT_EQ(*fixed,
            (FileTree{{"train.py", std::string(k_with_zero_grad)}, {"model/new.py", "y = 2\n"}}));
}

TEST_F(FaultTest, FindsAPartByItsName)
{
  const Fault fault = loaded(two_part_fault());
  EXPECT_EQ(fault.find_part("print"), &fault.parts[1]);
  EXPECT_EQ(fault.find_part("nothing"), nullptr);
  EXPECT_EQ(fault.find_part(""), nullptr);
}

TEST(Fault, ItsLanguageFollowsFromItsFramework)
{
  Fault fault;
  for (const auto& [framework, language] : std::map<std::string, std::string>{
           {"pytorch", "python"}, {"tfjs", "javascript"}, {"libtorch", "cpp"}}) {
    fault.framework = framework;
    EXPECT_EQ(fault.language(), language);
  }
}

} // namespace faultline::catalog
