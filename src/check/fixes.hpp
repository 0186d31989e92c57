#pragma once

#include "base/file.hpp"
#include "base/result.hpp"
#include "check/checker.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace faultline::check {

enum class FixLevel { safe, all };

// What the fixes of a report make of its files.
struct FixedFiles {
  FileTree before; // as on disk, only files that change
  FileTree after;
  size_t fixed = 0;     // findings
  size_t postponed = 0; // findings whose edits touch those of another; they wait for the next round
};

// Fixes are taken in the order of the findings; one that touches bytes of an earlier one waits.
// Only `writable` files change: what a program merely imports was not given to be fixed.
Result<FixedFiles>
apply_fixes(const Report& report, FixLevel level, const std::set<std::string>& writable);

// Write what changed. Permissions stay, links are followed. A file that is not any more what was
// analysed is left alone and is an error.
Result<void> write_fixes(const FixedFiles& files);

} // namespace faultline::check
