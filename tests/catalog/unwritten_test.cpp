#include "catalog/fault_fixture.hpp"
#include "catalog/unwritten.hpp"

namespace faultline::catalog {

static std::string error_of(const FileTree& files)
{
  const Result<TempDir> place = TempDir::create();
  EXPECT_TRUE(write_tree(place->path(), files));
  const Result<Fault> fault = load_fault(place->path(), project_schemes());
  return fault ? "" : replace_all(fault.error().line(), place->path().string() + "/", "");
}

TEST(Unwritten, IsNamedAllAtOnce)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "\"Loss stays flat\"", "\"…\"");
  change(files, "fault.toml", "\"api-misuse\"", "\"…\"");
  files["test.py"] += "# …\n";
  files.erase("fix.patch");
  EXPECT_EQ(error_of(files),
            "fault.toml:1: still to be written: title, labels.category, test.py, fix.patch");
}

TEST(Unwritten, IsNothingWhereOnlyWordsStand)
{
  FileTree files = minimal_fault();
  EXPECT_EQ(error_of(files), "");
  files["test.py"] += "# …\n";
  EXPECT_EQ(error_of(files), "fault.toml:1: still to be written: test.py");
  files["test.py"] = minimal_fault()["test.py"];
  // Three dots in a sentence, or in a program, are what their author wrote.
  change(files, "fault.toml", "\"Loss stays flat\"", "\"Loss … stays flat\"");
  files["test.py"] += "# and so on …\nprint('…')\n";
  EXPECT_EQ(error_of(files), "");
}

} // namespace faultline::catalog
