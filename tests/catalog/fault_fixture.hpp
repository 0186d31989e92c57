#pragma once

#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace faultline::catalog {

// The project's own label schemes; read once for all tests of the process.
inline const Schemes& project_schemes()
{
  static const Schemes k_schemes = [] {
    Result<Schemes> schemes = load_schemes(std::filesystem::path(FL_SOURCE_DIR) / "taxonomy");
    EXPECT_TRUE(schemes) << schemes.error().line();
    return schemes ? *std::move(schemes) : Schemes();
  }();
  return k_schemes;
}

// Put `to` in the place of `from`, which must stand in `file` exactly once.
inline void change(FileTree& files,
                   const std::string& file,
                   std::string_view from,
                   std::string_view to)
{
  std::string& text = files[file];
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    ADD_FAILURE() << "`" << from << "` does not stand in " << file << " exactly once";
    return;
  }
  text.replace(at, from.size(), to);
}

// The folder of a valid fault with the id `pytorch-flat-loss`. Messages name lines of fault.toml,
// so count when you change it.
inline FileTree minimal_fault()
{
  return {{"fault.toml",
           /*  1 */ "id        = \"pytorch-flat-loss\"\n"
           /*  2 */ "title     = \"Loss stays flat\"\n"
           /*  3 */ "framework = \"pytorch\"\n"
           /*  4 */ "split     = \"dev\"\n"
           /*  5 */ "silent    = true\n"
           /*  6 */ "summary   = \"Gradients pile up.\"\n"
           /*  7 */ "general   = \"Easy to forget.\"\n"
           /*  8 */ "\n"
           /*  9 */ "[origin]\n"
           /* 10 */ "kind    = \"stack_overflow\"\n"
           /* 11 */ "url     = \"https://stackoverflow.com/questions/1\"\n"
           /* 12 */ "dataset = \"islam2020\"\n"
           /* 13 */ "record  = \"so-001\"\n"
           /* 14 */ "\n"
           /* 15 */ "[labels]\n"
           /* 16 */ "type        = \"api/missing-api-call\"\n"
           /* 17 */ "category    = \"api-misuse\"\n"
           /* 18 */ "fix_pattern = \"api-contract\"\n"
           /* 19 */ "symptom     = \"bad-performance\"\n"
           /* 20 */ "property    = \"correctness\"\n"
           /* 21 */ "phase       = \"learning\"\n"
           /* 22 */ "level       = \"ml-component\"\n"
           /* 23 */ "published   = [\"fix_pattern\"]\n"
           /* 24 */ "\n"
           /* 25 */ "[location]\n"
           /* 26 */ "file  = \"train.py\"\n"
           /* 27 */ "lines = [4]\n"
           /* 28 */ "\n"
           /* 29 */ "[run]\n"
           /* 30 */ "command = [\"python3\", \"train.py\"]\n"
           /* 31 */ "test    = [\"python3\", \"../test.py\"]\n"
           /* 32 */ "timeout_seconds = 20\n"
           /* 33 */ "memory_mib      = 512\n"
           /* 34 */ "\n"
           /* 35 */ "[oracle]\n"
           /* 36 */ "evidence = \"FAIL: loss\"\n"
           /* 37 */ "\n"
           /* 38 */ "[environment]\n"
           /* 39 */ "packages = { torch = \"1.13.1\" }\n"
           /* 40 */ "data     = []\n"
           /* 41 */ "\n"
           /* 42 */ "[realism]\n"
           /* 43 */ "api  = \"same\"\n"
           /* 44 */ "data = \"stand-in\"\n"
           /* 45 */ "fix  = \"accepted\"\n"
           /* 46 */ "note = \"As reported.\"\n"},
          {"program/train.py",
           "net = Net()\n"
           "optimizer = SGD(net.parameters())\n"
           "for x, y in batches():\n"
           "    loss = criterion(net(x), y)\n"
           "    loss.backward()\n"
           "    optimizer.step()\n"
           "print(loss)\n"},
          {"fix.patch",
           "--- a/train.py\n"
           "+++ b/train.py\n"
           "@@ -3,3 +3,4 @@\n"
           " for x, y in batches():\n"
           "+    optimizer.zero_grad()\n"
           "     loss = criterion(net(x), y)\n"
           "     loss.backward()\n"},
          {"test.py", "import oracle\n"}};
}

// The same fault under another name of its framework.
inline FileTree fault_named(const std::string& name)
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "pytorch-flat-loss", "pytorch-" + name);
  return files;
}

inline constexpr std::string_view k_with_zero_grad = "net = Net()\n"
                                                     "optimizer = SGD(net.parameters())\n"
                                                     "for x, y in batches():\n"
                                                     "    optimizer.zero_grad()\n"
                                                     "    loss = criterion(net(x), y)\n"
                                                     "    loss.backward()\n"
                                                     "    optimizer.step()\n"
                                                     "print(loss)\n";

// A fault of two parts, `gradients` and `print`, and another fix of the first. Its program is that of
// the minimal fault; [labels] and [location] of the minimal fault become those of the parts.
inline FileTree two_part_fault()
{
  FileTree files = minimal_fault();
  const std::string text = files["fault.toml"];
  const size_t labels = text.find("[labels]");
  const size_t location = text.find("[location]");
  const size_t run = text.find("[run]");
  const std::string part_labels =
      replace_all(text.substr(labels, location - labels), "[labels]", "[part.labels]");
  const auto part = [&](const std::string& name, const std::string& line) {
    return "[[part]]\nname  = \"" + name + "\"\ntitle = \"Part " + name + "\"\npatch = \"" + name +
           ".patch\"\n" + part_labels + "[part.location]\nfile  = \"train.py\"\nlines = [" + line +
           "]\n\n";
  };
  files["fault.toml"] = text.substr(0, labels) + part("gradients", "4") + part("print", "7") +
                        text.substr(run) +
                        "\n[[accepted]]\n"
                        "part  = \"gradients\"\n"
                        "patch = \"accepted/clear-after.patch\"\n"
                        "why   = \"Clearing after the step is as good.\"\n";
  files["gradients.patch"] = files["fix.patch"];
  files.erase("fix.patch");
  files["print.patch"] = "--- a/train.py\n"
                         "+++ b/train.py\n"
                         "@@ -6,2 +6,2 @@\n"
                         "     optimizer.step()\n"
                         "-print(loss)\n"
                         "+print(loss.item())\n";
  files["accepted/clear-after.patch"] = "--- a/train.py\n"
                                        "+++ b/train.py\n"
                                        "@@ -5,2 +5,3 @@\n"
                                        "     loss.backward()\n"
                                        "     optimizer.step()\n"
                                        "+    optimizer.zero_grad()\n";
  return files;
}

// A fault in JavaScript with the id `tfjs-flat-loss`.
inline FileTree javascript_fault()
{
  FileTree files = minimal_fault();
  change(files, "fault.toml", "pytorch-flat-loss", "tfjs-flat-loss");
  change(files, "fault.toml", "framework = \"pytorch\"", "framework = \"tfjs\"");
  change(files, "fault.toml", "\"train.py\"\nlines = [4]", "\"train.js\"\nlines = [2]");
  change(files, "fault.toml", "[\"python3\", \"train.py\"]", "[\"node\", \"train.js\"]");
  change(files, "fault.toml", "[\"python3\", \"../test.py\"]", "[\"node\", \"../test.js\"]");
  files.erase("program/train.py");
  files.erase("test.py");
  files["program/train.js"] = "for (const [x, y] of batches()) {\n"
                              "  optimizer.minimize(() => loss(net(x), y));\n"
                              "}\n";
  files["test.js"] = "require(\"./oracle.js\");\n";
  files["fix.patch"] = "--- a/train.js\n"
                       "+++ b/train.js\n"
                       "@@ -1,3 +1,4 @@\n"
                       " for (const [x, y] of batches()) {\n"
                       "+  optimizer.zero_grad();\n"
                       "   optimizer.minimize(() => loss(net(x), y));\n"
                       " }\n";
  return files;
}

// A project in a temporary folder, with the real taxonomy and oracles and the faults of the test.
class ProjectTest : public testing::Test {
protected:
  void SetUp() override
  {
    Result<TempDir> made = TempDir::create();
    ASSERT_TRUE(made) << made.error().line();
    m_folder.emplace(*std::move(made));
    const std::filesystem::path project = FL_SOURCE_DIR;
    std::filesystem::create_directory_symlink(project / "taxonomy", root() / "taxonomy");
    std::filesystem::create_directory_symlink(project / "probes", root() / "probes");
    std::filesystem::create_directories(root() / "faults");
  }

  const std::filesystem::path& root() const { return m_folder->path(); }

  // Returns the fault's folder; `name` is below faults/.
  std::filesystem::path write_fault(const FileTree& files,
                                    const std::string& name = "pytorch/flat-loss") const
  {
    std::filesystem::path folder = root() / "faults" / name;
    const Result<void> written = write_tree(folder, files);
    EXPECT_TRUE(written) << written.error().line();
    return folder;
  }

  Fault loaded(const FileTree& files, const std::string& name = "pytorch/flat-loss") const
  {
    Result<Fault> fault = load_fault(write_fault(files, name), project_schemes());
    EXPECT_TRUE(fault) << fault.error().line();
    return fault ? *std::move(fault) : Fault();
  }

  Catalog catalog() const
  {
    Result<Catalog> all = load_catalog(root());
    EXPECT_TRUE(all) << all.error().line();
    return all ? *std::move(all) : Catalog();
  }

private:
  std::optional<TempDir> m_folder;
};

} // namespace faultline::catalog
