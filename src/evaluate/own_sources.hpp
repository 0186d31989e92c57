#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace faultline::evaluate {

// What `faultline check` and `faultline watch` answer depends on the sources of some rooms, not on
// every byte of the binary. The build writes a digest of those sources into the binary
// (tools/own-sources), so that a rebuild that cannot change an answer makes no run stale.

// Subcommand → digest, as they stand in the bytes of a binary.
std::map<std::string, std::string> own_sources_in(std::string_view binary);

// What identifies the answers of `faultline COMMAND` by that binary: the digest of the sources of
// that command; of all of them if the command is none of those; of the binary itself if nothing is
// written into it.
std::string own_sources_of(const std::filesystem::path& binary, const std::string& command);

} // namespace faultline::evaluate
