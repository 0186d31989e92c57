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
inline void
change(FileTree& files, const std::string& file, std::string_view from, std::string_view to)
{
  std::string& text = files[file];
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos) {
    ADD_FAILURE() << "`" << from << "` does not stand in " << file << " exactly once";
    return;
  }
  text.replace(at, from.size(), to);
}

// fault.toml of the minimal fault. Messages name its lines: [origin] is line 9, [labels] 15,
// [location] 25, [run] 29, [oracle] 35, [environment] 38, [realism] 42, and the last is 46.
inline constexpr std::string_view k_fault_toml = R"(id        = "pytorch-flat-loss"
title     = "Loss stays flat"
framework = "pytorch"
split     = "dev"
silent    = true
summary   = "Gradients pile up."
general   = "Easy to forget."

[origin]
kind    = "stack_overflow"
url     = "https://stackoverflow.com/questions/1"
dataset = "islam2020"
record  = "so-001"

[labels]
type        = "api/missing-api-call"
category    = "api-misuse"
fix_pattern = "api-contract"
symptom     = "bad-performance"
property    = "correctness"
phase       = "learning"
level       = "ml-component"
published   = ["fix_pattern"]

[location]
file  = "train.py"
lines = [4]

[run]
command = ["python3", "train.py"]
test    = ["python3", "../test.py"]
timeout_seconds = 20
memory_mib      = 512

[oracle]
evidence = "FAIL: loss"

[environment]
in = ["torch1"]
data     = []

[realism]
api  = "same"
data = "stand-in"
fix  = "accepted"
note = "As reported."
)";

// The folder of a valid fault with the id `pytorch-flat-loss`.
inline FileTree minimal_fault()
{
  return {{"fault.toml", std::string(k_fault_toml)},
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

// A fault of two parts, `gradients` and `print`, and another fix of the first. Its program is that
// of the minimal fault; [labels] and [location] of the minimal fault become those of the parts.
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
