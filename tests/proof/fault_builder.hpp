#pragma once

#include "base/file.hpp"
#include "catalog/fault.hpp"

#include <gtest/gtest.h>

#include <string>

namespace faultline::proof {

// A small fault written to disk and loaded from there. Its program is one line, `answer = …`; every
// test of this folder changes what it is about.
struct FaultBuilder {
  std::string program = "answer = 41\nprint('answer', answer)\n";
  std::string fix = "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-answer = 41\n+answer = 42\n "
                    "print('answer', answer)\n";
  std::string test = "import oracle\n"
                     "main = oracle.run('main.py')\n"
                     "oracle.check(main.answer == 42, 'wrong answer')\n";
  std::string symptom = "incorrect-functionality";
  std::string oracle = "evidence = 'answer 41'\n";
  std::string in;   // of [environment]
  std::string more; // further tables
  FileTree files;   // further files
  bool with_part = true;

  catalog::Fault load() const
  {
    static const Result<catalog::Schemes> k_schemes =
        catalog::load_schemes(std::string(FL_SOURCE_DIR) + "/taxonomy");
    static const Result<TempDir> k_folder = TempDir::create();
    static int number = 0;
    const std::string name = "sample-" + std::to_string(++number);
    FileTree tree = files;
    tree["program/main.py"] = program;
    tree["test.py"] = test;
    if (with_part) {
      tree["fix.patch"] = fix;
    }
    tree["fault.toml"] = head(name) + (with_part ? labels("") : "") + tail() + more;
    EXPECT_TRUE(write_tree(k_folder->path() / name, tree));
    Result<catalog::Fault> fault = catalog::load_fault(k_folder->path() / name, *k_schemes);
    EXPECT_TRUE(fault.has_value()) << fault.error().line();
    return fault ? *std::move(fault) : catalog::Fault{};
  }

  // [labels] and [location], or those of a part with `prefix` "part.".
  std::string labels(const std::string& prefix) const
  {
    return "[" + prefix +
           "labels]\n"
           "type = 'api/wrong-api-usage'\ncategory = 'api-misuse'\nfix_pattern = 'api-contract'\n"
           "symptom = '" +
           symptom +
           "'\nproperty = 'correctness'\nphase = 'learning'\n"
           "level = 'ml-component'\n[" +
           prefix + "location]\nfile = 'main.py'\nlines = [1]\n";
  }

private:
  static std::string head(const std::string& name)
  {
    return "id = 'pytorch-" + name +
           "'\ntitle = 't'\nframework = 'pytorch'\nsplit = 'dev'\n"
           "summary = 's'\ngeneral = 'g'\n[origin]\nkind = 'study'\nurl = 'https://example.org'\n";
  }
  std::string tail() const
  {
    return "[run]\ncommand = ['python3', 'main.py']\ntest = ['python3', '../test.py']\n"
           "timeout_seconds = 5\n[oracle]\n" +
           oracle + "[environment]\n" + in +
           "[realism]\napi = 'same'\ndata = 'same'\nfix = 'equivalent'\n";
  }
};

} // namespace faultline::proof
