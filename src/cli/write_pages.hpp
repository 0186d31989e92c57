#pragma once

#include "base/file.hpp"
#include "cli/session.hpp"

namespace faultline::cli {

// Write generated pages to a folder and report it. Pages ("DL213.md") of things that no longer
// exist are removed.
Result<int>
write_pages(const std::filesystem::path& folder, const FileTree& pages, const Session& session);

} // namespace faultline::cli
