#pragma once

#include "base/content_digests.hpp"
#include "evaluate/tool.hpp"
#include "evaluate/tool_job.hpp"
#include "run/runner.hpp"

#include <map>
#include <mutex>
#include <string>

namespace faultline::evaluate {

// What a tool is at this moment.
struct ToolIdentity {
  std::string version; // the first line of what it says when asked; empty if it cannot be asked
  // Of all that makes the tool what it is, apart from its description: everything that it says of
  // its version, the content of its files and folders, the interpreters and packages that it may
  // use; of our own, their sources, probes and taxonomy. It is part of the address of its runs.
  std::string digest;
};

// Identities of tools. Asking a tool takes a sandbox, and reading its files may take long, so
// answers are kept: files are read again only when they may have changed. Safe to use from several
// threads.
class ToolIdentities {
public:
  enum class Ask {
    now,  // the tool itself, as it may have been updated
    once, // only if it was never asked with these files
  };

  ToolIdentity of(const Tool& tool,
                  const run::Environment& environment,
                  const OwnTools& own,
                  const run::RunnerConfig& runner,
                  Ask ask);

  // Of the files alone, without asking the tool.
  std::string
  files_digest(const Tool& tool, const run::Environment& environment, const OwnTools& own);

private:
  std::string own_digest(const Tool& tool, const OwnTools& own);
  std::string full_version(const Tool& tool,
                           const std::string& files,
                           const run::Environment& environment,
                           const OwnTools& own,
                           const run::RunnerConfig& runner,
                           Ask ask);

  ContentDigests m_contents;
  std::mutex m_mutex;
  std::map<std::string, std::string> m_versions; // by tool, command and digest of the files
  std::map<std::string, std::string> m_sources;  // by content of the binary and command
};

// A short hash for reports, by which a reader can tell whether two results are of the same
// detector: its identity, and all of its description, the parts that need no new run among them.
std::string detector_hash(const Tool& tool, const ToolIdentity& identity);
// Of a union: that of its members.
std::string union_hash(const Tool& united, const std::vector<std::string>& members);

} // namespace faultline::evaluate
