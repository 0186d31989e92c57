#pragma once

#include "base/result.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::run {

enum class Isolation {
  sandbox, // bubblewrap
  none,    // only limits, with --no-sandbox
};

// Where a job's folder lies inside the sandbox.
inline constexpr std::string_view k_folder = "/fault";

// The bubblewrap command line up to and including "--": no network, a read-only system, private
// /tmp and /dev/shm of bounded size, its own process ids, an empty bounded folder, and the mounts.
// `system` is the folder whose /usr the sandbox has; empty for the machine's.
std::vector<std::string> sandbox_command(const std::vector<Mount>& mounts,
                                         const Limits& limits,
                                         const std::filesystem::path& system = {});

// Nothing, or why no sandbox can be made on this machine and what to do about it.
Result<void> check_sandbox();

// The static helper that is the first process of a job; empty if it is missing.
std::string init_path();

} // namespace faultline::run
