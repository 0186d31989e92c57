#pragma once

#include "catalog/fault.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace faultline::catalog {

// A fault laid out for running, the same in the sandbox and on a user's disk:
//
//   checkout.json   which fault, which version, how to run it; nothing of the fix or the labels
//   program/        the program; data sets are links in program/data/
//   test.py         the test (test.js)
//   oracle/         what it uses to load the program, to check and to report
struct Layout {
  FileTree files;
  std::map<std::string, std::string> data_links; // path in the layout → data set
};

// `version` is only a name in checkout.json; `program` is the content of program/.
Result<Layout> lay_out(const Fault& fault,
                       const FileTree& program,
                       Version version,
                       const std::filesystem::path& probes);

std::string_view name_of(Version version);

// Where the parts of a checkout that are not of the fault come from.
struct CheckoutSources {
  std::filesystem::path probes;
  std::filesystem::path packages; // the folder with node_modules/ and data sets
};

struct CheckoutConfig {
  std::filesystem::path folder; // must be new or empty
  Version version = Version::buggy;
  bool history = false; // a git repository with the branches `buggy` and `fixed`
};

Result<void>
check_out(const Fault& fault, const CheckoutSources& from, const CheckoutConfig& config);

// The fault and version of a checkout on disk, and its program in its current state.
struct OpenedCheckout {
  std::string id;
  Version version = Version::buggy;
  FileTree program;
};
Result<OpenedCheckout> open_checkout(const std::filesystem::path& folder);

} // namespace faultline::catalog
