#pragma once

#include "base/file.hpp"
#include "environment/description.hpp"

#include <gtest/gtest.h>

#include <string>

namespace faultline::environment {

inline constexpr const char* k_sample = R"(title      = "Tiny"
purpose    = "Shows how environments are described."
driver     = "venv"
python     = "3.11"
frameworks = ["keras"]
packages   = { tiny = "1.0", python = "3.11" }
requirements = ["tiny==1.0"]

[programs]
import = ["tiny"]
seeds  = "tensorflow"

[programs.variables]
QUIET = "1"
)";

inline constexpr const char* k_sample_lock =
    "# Python 3.11\ntiny==1.0 --hash=sha256:0123456789abcdef\n";

// A project whose only environment is `tiny`, described by `text`.
inline Result<std::vector<Description>> described_as(const std::string& text,
                                                     const std::string& lock = k_sample_lock)
{
  static const Result<TempDir> k_folder = TempDir::create();
  static int number = 0;
  const std::filesystem::path root = k_folder->path() / std::to_string(++number);
  FileTree files = {{"environments/tiny/environment.toml", text}};
  if (!lock.empty()) {
    files["environments/tiny/lock.txt"] = lock;
  }
  EXPECT_TRUE(write_tree(root, files));
  return load_descriptions(root);
}

inline Description sample()
{
  Result<std::vector<Description>> all = described_as(k_sample);
  EXPECT_TRUE(all) << all.error().line();
  return all->front();
}

} // namespace faultline::environment
