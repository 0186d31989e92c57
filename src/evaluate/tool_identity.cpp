#include "evaluate/tool_identity.hpp"

#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "evaluate/own_sources.hpp"
#include "evaluate/run_store.hpp"
#include "evaluate/tool_files.hpp"
#include "run/torch_probe.hpp"

#include <algorithm>

namespace faultline::evaluate {

namespace fs = std::filesystem;

// More than this of what a tool says about its version is not looked at.
constexpr size_t k_most_version = 16UL * 1024;
constexpr size_t k_hash_digits = 12;

// `check` in `{faultline} check …`; empty if the tool starts us in another way.
static std::string own_command_of(const Tool& tool)
{
  return tool.command.size() > 1 && tool.command.front() == "{faultline}" ? tool.command[1] : "";
}

std::string ToolIdentities::own_digest(const Tool& tool, const OwnTools& own)
{
  const std::string command = own_command_of(tool);
  const std::string key = m_contents.of(own.binary) + " " + command;
  std::string sources;
  {
    const std::lock_guard lock(m_mutex);
    sources = m_sources[key];
  }
  if (sources.empty()) {
    sources = own_sources_of(own.binary, command);
    const std::lock_guard lock(m_mutex);
    m_sources[key] = sources;
  }
  Digest digest;
  digest.add(sources).add(run::torch_probe_beside(own.binary).empty() ? "" : "with LibTorch");
  for (const run::Mount& mount : own_mounts(own)) {
    digest.add(mount.inside).add(m_contents.of(mount.host));
  }
  return digest.hex();
}

std::string ToolIdentities::files_digest(const Tool& tool,
                                         const run::Environment& environment,
                                         const OwnTools& own)
{
  Digest digest;
  digest.add("files");
  for (const fs::path& file : files_of(tool, environment)) {
    const bool is_mounted = std::ranges::find(tool.folders, file.string()) != tool.folders.end();
    digest.add(file.string()).add(is_mounted ? 1 : 0).add(m_contents.of(file));
  }
  digest.add("own").add(tool.uses("faultline") ? own_digest(tool, own) : "");
  digest.add("machine").add(environment.tools_fingerprint());
  return digest.hex();
}

std::string ToolIdentities::full_version(const Tool& tool,
                                         const std::string& files,
                                         const run::Environment& environment,
                                         const OwnTools& own,
                                         const run::RunnerConfig& runner,
                                         Ask ask)
{
  if (tool.version.empty()) {
    return {};
  }
  const std::string key = tool.name + "\n" + join(tool.version, "\n") + "\n" + files;
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_versions.find(key);
    if (ask == Ask::once && known != m_versions.end()) {
      return known->second;
    }
  }
  run::Runner asking(runner);
  const run::RunOutcome outcome = asking.run(version_job(tool, environment, own), environment);
  std::string version(trim(std::string_view(outcome.result).substr(0, k_most_version)));
  if (outcome.is_verdict()) {
    const std::lock_guard lock(m_mutex);
    m_versions[key] = version;
  }
  return version;
}

ToolIdentity ToolIdentities::of(const Tool& tool,
                                const run::Environment& environment,
                                const OwnTools& own,
                                const run::RunnerConfig& runner,
                                Ask ask)
{
  const std::string files = files_digest(tool, environment, own);
  const std::string version = full_version(tool, files, environment, own, runner, ask);
  ToolIdentity identity;
  identity.version = to_valid_utf8(version.substr(0, std::min<size_t>(version.find('\n'), 100)));
  identity.digest = Digest().add(files).add(version).hex();
  return identity;
}

std::string detector_hash(const Tool& tool, const ToolIdentity& identity)
{
  Digest digest;
  digest.add(identity.digest).add(static_cast<long long>(tool.approach));
  for (const std::string& word : tool.command) {
    digest.add(word);
  }
  add_reading(digest, tool);
  const ToolLimits& limits = tool.limits;
  digest.add(format("{} {} {}", limits.timeout_seconds, limits.memory_mib, limits.processes));
  for (const auto* applies : {&tool.languages, &tool.frameworks}) {
    digest.add("applies");
    for (const std::string& name : *applies) {
      digest.add(name);
    }
  }
  digest.add("levels");
  for (const source::Severity level : tool.levels) {
    digest.add(static_cast<long long>(level));
  }
  digest.add("severities");
  for (const auto& [word, severity] : tool.severities) {
    digest.add(word).add(static_cast<long long>(severity));
  }
  digest.add("types");
  for (const auto& [rule, type] : tool.types) {
    digest.add(rule).add(type);
  }
  return digest.hex().substr(0, k_hash_digits);
}

std::string union_hash(const Tool& united, const std::vector<std::string>& members)
{
  Digest digest;
  digest.add("union");
  for (size_t i = 0; i < members.size(); ++i) {
    digest.add(united.members[i]).add(members[i]);
  }
  return digest.hex().substr(0, k_hash_digits);
}

} // namespace faultline::evaluate
