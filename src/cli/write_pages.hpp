#pragma once

#include "base/file.hpp"
#include "cli/session.hpp"

namespace faultline::cli {

// Write generated pages into a folder and say so. A page there that an earlier version wrote for
// something that is gone ("DL213.md") is removed.
Result<int>
write_pages(const std::filesystem::path& folder, const FileTree& pages, const Session& session);

} // namespace faultline::cli
