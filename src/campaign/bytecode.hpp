#pragma once

#include "base/file.hpp"
#include "base/result.hpp"
#include "inject/variant.hpp"
#include "run/environment.hpp"

#include <string>
#include <vector>

namespace faultline::campaign {

// What compiling variants told of them, each in the order given.
struct Compiled {
  std::vector<inject::Variant> different;  // worth running
  std::vector<inject::Variant> equivalent; // the same bytecode as the original, line numbers apart
  std::vector<inject::Variant> broken;     // no Python, though they parse
};

// Compile every variant with the Python that has the framework, in one sandbox for all. A variant
// of a file that itself does not compile is `different`: nobody can tell.
Result<Compiled> compile_variants(std::vector<inject::Variant> variants,
                                  const FileTree& files,
                                  const run::Environment& environment);

// The variants that compile to something else than the original.
Result<std::vector<inject::Variant>> without_equivalent(std::vector<inject::Variant> variants,
                                                        const FileTree& files,
                                                        const run::Environment& environment);

} // namespace faultline::campaign
