#include "base/text.hpp"
#include "environment/described.hpp"
#include "environment/driver.hpp"

#include <gmock/gmock.h>

namespace faultline::environment {

using testing::HasSubstr;

// Every command of a build, a line each.
static std::string
commands(const Driver& driver, const Description& description, bool has_uv = false)
{
  Site site;
  site.folder = "/kept/tiny-0";
  site.downloads = "/kept/downloads";
  site.python = "/usr/bin/python3.11";
  site.has_uv = has_uv;
  std::string text;
  for (const Step& step : driver.build(description, site)) {
    text += step.title + ": " + join(step.command, " ") + "\n";
  }
  return replace_all(text, description.folder.string(), "(folder)");
}

constexpr const char* k_pip =
    "download packages: /kept/tiny-0/bin/python3 -m pip --disable-pip-version-check --no-input "
    "download --no-deps --require-hashes --only-binary :all: --progress-bar off --dest "
    "/kept/downloads -r (folder)/lock.txt\n"
    "install packages: /kept/tiny-0/bin/python3 -m pip --disable-pip-version-check --no-input "
    "install --no-deps --require-hashes --no-index --find-links /kept/downloads --no-compile -r "
    "(folder)/lock.txt\n";

TEST(Driver, VenvFillsAVirtualEnvironmentFromTheLock)
{
  const std::string text = commands(k_venv, sample());
  EXPECT_THAT(
      text,
      testing::StartsWith("make the virtual environment: /usr/bin/python3.11 -m venv --clear "
                          "/kept/tiny-0\n" +
                          std::string(k_pip) + "compile modules: sh -c "));
}

TEST(Driver, UvTakesThePlaceOfPipWhereItIsThere)
{
  EXPECT_THAT(
      commands(k_venv, sample(), true),
      HasSubstr("download and install packages: uv pip install --python "
                "/kept/tiny-0/bin/python3 --no-deps --require-hashes --only-binary :all: -r "
                "(folder)/lock.txt\n"));
}

TEST(Driver, CondaAndMambaMakeThePython)
{
  EXPECT_THAT(commands(k_conda, sample()),
              testing::StartsWith("make the environment: conda create --yes --prefix /kept/tiny-0 "
                                  "python=3.11 pip\n" +
                                  std::string(k_pip)));
  EXPECT_THAT(commands(k_mamba, sample()),
              testing::StartsWith("make the environment: mamba create "));
}

TEST(Driver, DockerUnpacksAnImage)
{
  const Description one = sample();
  const std::string tag = "faultline-tiny:" + digest_of(one).substr(0, 12);
  const std::string text = commands(k_docker, one);
  EXPECT_THAT(text, HasSubstr(" docker " + tag + " # Tiny\nFROM python:3.11-slim\n"));
  EXPECT_THAT(text,
              HasSubstr("make a container: docker create --name faultline-tiny-files " + tag));
  EXPECT_THAT(text, HasSubstr("docker faultline-tiny-files /kept/tiny-0\n"));
  EXPECT_THAT(text, testing::EndsWith("remove the container: docker rm faultline-tiny-files\n"));
  EXPECT_THAT(commands(k_podman, one), HasSubstr("podman rm faultline-tiny-files"));
}

TEST(Driver, DebianMakesTheRootOfARelease)
{
  Description one = sample();
  one.release = "trixie";
  one.system_packages = {"python3", "python3-torch"};
  const std::string text = commands(k_debian, one);
  EXPECT_THAT(text, HasSubstr(": mmdebstrap --variant=essential --include=python3,python3-torch "));
  EXPECT_THAT(text, HasSubstr("sync-in '/kept/downloads/tiny' /var/cache/apt/archives"));
  EXPECT_THAT(text, testing::EndsWith(" trixie /kept/tiny-0\n"));
}

TEST(Driver, SaysWhatItCannotBuild)
{
  Description one = sample();
  EXPECT_EQ(k_venv.refuses(one), "");
  EXPECT_EQ(k_debian.refuses(one), "it names no `release` of Debian");
  one.lock.clear();
  EXPECT_EQ(k_venv.refuses(one), "it has no lock.txt; make one with `faultline env lock tiny`");
  EXPECT_EQ(k_conda.refuses(one), k_venv.refuses(one));
  one.requirements.clear();
  EXPECT_EQ(k_conda.refuses(one), "it is not made of packages for pip");
  one.driver = "system";
  EXPECT_EQ(k_docker.refuses(one), "it is what this machine has installed");
}

} // namespace faultline::environment
