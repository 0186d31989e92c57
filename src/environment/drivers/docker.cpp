// An image of Docker or Podman, unpacked: its files become the root in the sandbox, so that jobs
// are isolated as all others are and need no engine to run.

#include "base/format.hpp"
#include "environment/driver.hpp"
#include "environment/export.hpp"

namespace faultline::environment {

static std::vector<Step>
build_with(const std::string& program, const Description& description, const Site& site)
{
  const std::string tag =
      format("faultline-{}:{}", description.name, digest_of(description).substr(0, 12));
  const std::string container = format("faultline-{}-{}", description.name, "files");
  return {{"build the image",
           {"sh",
            "-c",
            R"(printf %s "$2" | "$0" build --tag "$1" --file - "$3")",
            program,
            tag,
            dockerfile(description),
            description.folder.string()}},
          {"make a container", {program, "create", "--name", container, tag}},
          {"unpack it",
           {"sh",
            "-c",
            R"(mkdir -p "$2" && "$0" export "$1" | tar --extract --directory "$2")",
            program,
            container,
            site.folder.string()}},
          {"remove the container", {program, "rm", container}}};
}

static std::string refuses(const Description& description)
{
  return description.driver == "system" ? "it is what this machine has installed" : "";
}

const Driver k_docker = {
    .name = "docker",
    .summary = "an image, unpacked to a root folder",
    .program = "docker",
    .remedy = "install Docker",
    .layout = Layout::root,
    .build = [](const Description& description,
                const Site& site) { return build_with("docker", description, site); },
    .refuses = refuses,
};

const Driver k_podman = {
    .name = "podman",
    .summary = "the same, without a daemon",
    .program = "podman",
    .remedy = "apt-get install podman",
    .layout = Layout::root,
    .build = [](const Description& description,
                const Site& site) { return build_with("podman", description, site); },
    .refuses = refuses,
};

} // namespace faultline::environment
