// The root folder of another Debian release, made by mmdebstrap. It takes the place of the
// machine's own system in the sandbox.

#include "base/format.hpp"
#include "base/text.hpp"
#include "environment/driver.hpp"

namespace faultline::environment {

static std::vector<Step> build(const Description& description, const Site& site)
{
  const std::string archives = (site.downloads / description.name).string();
  // For root, mmdebstrap mounts the machine's /proc and /dev below the folder. In namespaces of its
  // own they vanish with it, however it ends; for others it makes such namespaces itself.
  std::vector<std::string> command;
  if (site.is_root) {
    command = {"unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--"};
  }
  const std::vector<std::string> words = {
      "mmdebstrap",
      "--variant=essential",
      "--include=" + join(description.system_packages, ","),
      "--dpkgopt=path-exclude=/usr/share/man/*",
      "--dpkgopt=path-exclude=/usr/share/doc/*",
      "--dpkgopt=path-exclude=/usr/share/locale/*",
      // What an earlier build fetched is used again.
      "--skip=download/empty",
      R"(--setup-hook=mkdir -p "$1/var/cache/apt/archives")",
      format("--setup-hook=sync-in '{}' /var/cache/apt/archives", archives),
      format("--customize-hook=sync-out /var/cache/apt/archives '{}'", archives),
      description.release,
      site.folder.string()};
  command.insert(command.end(), words.begin(), words.end());
  if (!site.mirror.empty()) {
    command.push_back(site.mirror);
  }
  return {{"make a place for packages", {"mkdir", "-p", archives}},
          {format("download and unpack Debian {}", description.release), std::move(command)}};
}

static std::string refuses(const Description& description)
{
  return description.release.empty() ? "it names no `release` of Debian" : "";
}

const Driver k_debian = {
    .name = "debian",
    .summary = "the root folder of another Debian release, made by mmdebstrap",
    .program = "mmdebstrap",
    .remedy = "apt-get install mmdebstrap",
    .layout = Layout::root,
    .build = build,
    .refuses = refuses,
};

} // namespace faultline::environment
