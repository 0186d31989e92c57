#include "run/job_fixture.hpp"
#include "run/packages.hpp"

#include <gmock/gmock.h>

namespace faultline::run {

TEST(Packages, GivesEveryPythonFileBelowAPackage)
{
  const Result<InstalledPackage> package = installed_package(machine(), "torch.nn");
  ASSERT_TRUE(package) << package.error().line();
  EXPECT_TRUE(package->files.contains("torch/nn/functional.py"));
  EXPECT_TRUE(package->files.contains("torch/nn/modules/linear.py"));
  for (const auto& [path, text] : package->files) {
    EXPECT_TRUE(path.starts_with("torch/nn/")) << path;
    EXPECT_TRUE(path.ends_with(".py")) << path;
    EXPECT_EQ(*read_file(package->folder / path), text);
  }
}

TEST(Packages, GivesOneFileForAModule)
{
  const Result<InstalledPackage> module = installed_package(machine(), "torch.nn.functional");
  ASSERT_TRUE(module) << module.error().line();
  ASSERT_EQ(module->files.size(), 1U);
  EXPECT_EQ(module->files.begin()->first, "torch/nn/functional.py");
  const Result<InstalledPackage> top = installed_package(machine(), "this");
  ASSERT_TRUE(top) << top.error().line();
  EXPECT_EQ(top->files.begin()->first, "this.py");
}

TEST(Packages, ImportsNothing)
{
  // A package whose import would fail, and one of the same name as a probe.
  const Result<TempDir> folder = TempDir::create();
  ASSERT_TRUE(write_tree(folder->path(),
                         {{"fl_unimportable/__init__.py", "raise SystemExit('imported')\n"},
                          {"fl_unimportable/inner.py", "raise SystemExit('imported')\n"}}));
  setenv("PYTHONPATH", folder->path().c_str(), 1);
  const Result<InstalledPackage> package = installed_package(machine(), "fl_unimportable.inner");
  unsetenv("PYTHONPATH");
  ASSERT_TRUE(package) << package.error().line();
  EXPECT_EQ(package->folder, std::filesystem::canonical(folder->path()));
  EXPECT_EQ(package->files.begin()->first, "fl_unimportable/inner.py");
}

TEST(Packages, SaysWhatIsNotThere)
{
  const auto error_of = [](const char* name) {
    const Result<InstalledPackage> package = installed_package(machine(), name);
    return package ? std::string() : package.error().line();
  };
  EXPECT_THAT(error_of("torch.nnn"), testing::HasSubstr("did you mean `torch.nn`?"));
  EXPECT_THAT(error_of("torch.nn.functionals"),
              testing::HasSubstr("did you mean `torch.nn.functional`?"));
  EXPECT_THAT(error_of("describe_python"), testing::HasSubstr("has no package `describe_python`"));
  EXPECT_EQ(error_of("sys"), "`sys` has no Python source");
  EXPECT_THAT(error_of("../etc"), testing::HasSubstr("is no package name"));
  EXPECT_THAT(error_of(""), testing::HasSubstr("is no package name"));
}

} // namespace faultline::run
