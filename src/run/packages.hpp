#pragma once

#include "base/file.hpp"
#include "base/result.hpp"
#include "run/environment.hpp"

#include <filesystem>
#include <string>

namespace faultline::run {

// The Python files of an installed package or module, by their path relative to `folder`, the one
// it is installed in: "torch/nn/functional.py" below /usr/lib/python3/dist-packages.
struct InstalledPackage {
  std::filesystem::path folder;
  FileTree files;
};

// `name` is as one imports it: "torch.nn" (all below it), "torch.nn.functional" (one file). Looks
// at the Python that has the framework and imports nothing.
Result<InstalledPackage> installed_package(const Environment& environment, const std::string& name);

} // namespace faultline::run
