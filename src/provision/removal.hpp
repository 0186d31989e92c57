#pragma once

#include "base/result.hpp"

#include <filesystem>

namespace faultline::provision {

// Remove a folder and all that is below it, but never what another file system has mounted there: a
// build that was killed may have left the machine's own /dev below. Fails if it cannot be
// unmounted.
Result<void> remove_tree(const std::filesystem::path& folder);

} // namespace faultline::provision
