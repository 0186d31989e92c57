#include "evaluate/tool_identity.hpp"

#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/torch_probe.hpp"

#include <algorithm>

namespace faultline::evaluate {

namespace fs = std::filesystem;

std::string ToolIdentities::version_of(const Tool& tool,
                                       const run::Environment& environment,
                                       const OwnTools& own,
                                       const run::RunnerConfig& runner,
                                       Ask ask)
{
  if (tool.version.empty()) {
    return {};
  }
  const std::string key = tool.name + "\n" + join(tool.version, "\n");
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_versions.find(key);
    if (ask == Ask::once && known != m_versions.end()) {
      return known->second;
    }
  }
  run::Runner asking(environment, runner);
  const run::RunOutcome outcome = asking.run(version_job(tool, environment, own));
  const std::string_view text = trim(std::string_view(outcome.result).substr(0, 4096));
  std::string version = to_valid_utf8(text.substr(0, std::min<size_t>(text.find('\n'), 100)));
  if (outcome.is_verdict()) {
    const std::lock_guard lock(m_mutex);
    m_versions[key] = version;
  }
  return version;
}

static std::string stamp_of(const fs::path& file)
{
  std::error_code code;
  const auto size = fs::file_size(file, code);
  const auto time = fs::last_write_time(file, code).time_since_epoch().count();
  return format("{} {} {}\n", file.string(), size, time);
}

// The folders that are mounted for our own tools.
constexpr const char* k_folders[] = {"probes", "taxonomy"};

static std::string stamp_of(const OwnTools& own)
{
  std::string stamp = stamp_of(own.binary) + stamp_of(run::torch_probe_beside(own.binary));
  std::error_code code;
  for (const char* folder : k_folders) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(own.root / folder, code)) {
      stamp += stamp_of(entry.path());
    }
  }
  return stamp;
}

std::string ToolIdentities::digest_of(const OwnTools& own)
{
  const std::string stamp = stamp_of(own);
  const std::lock_guard lock(m_mutex);
  Known& known = m_digests[own.binary.string()];
  if (known.stamp == stamp) {
    return known.digest;
  }
  Digest digest;
  const Result<std::string> binary = read_file(own.binary);
  digest.add(binary ? *binary : "");
  const Result<std::string> torch_probe = read_file(run::torch_probe_beside(own.binary));
  digest.add(torch_probe ? *torch_probe : "");
  for (const char* folder : k_folders) {
    const Result<FileTree> files = read_tree(own.root / folder);
    for (const auto& [path, content] : files ? *files : FileTree()) {
      digest.add(folder).add(path).add(content);
    }
  }
  known = {stamp, digest.hex()};
  return known.digest;
}

} // namespace faultline::evaluate
