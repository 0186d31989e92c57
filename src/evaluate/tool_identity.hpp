#pragma once

#include "evaluate/tool.hpp"
#include "evaluate/tool_job.hpp"
#include "run/runner.hpp"

#include <map>
#include <mutex>
#include <string>

namespace faultline::evaluate {

// What tools are at this moment, which is part of the address of their runs: the version that each
// prints, and the digest of our own binary, probes and taxonomy. Asking a tool takes a sandbox and
// reading the binary a tenth of a second, so answers are kept. Safe to use from several threads.
class ToolIdentities {
public:
  enum class Ask {
    now,  // the tool itself, as it may have been updated
    once, // only if it was never asked
  };

  // The first line of what a tool says when asked for its version; empty if it cannot be asked.
  std::string version_of(const Tool& tool,
                         const run::Environment& environment,
                         const OwnTools& own,
                         const run::RunnerConfig& runner,
                         Ask ask);

  // Read anew only when a file has another size or time than before.
  std::string digest_of(const OwnTools& own);

private:
  struct Known {
    std::string stamp;
    std::string digest;
  };

  std::mutex m_mutex;
  std::map<std::string, std::string> m_versions;
  std::map<std::string, Known> m_digests; // by the binary's path
};

} // namespace faultline::evaluate
