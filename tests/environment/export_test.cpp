#include "environment/described.hpp"
#include "environment/export.hpp"

#include <gmock/gmock.h>

namespace faultline::environment {

TEST(Export, RequirementsAreTheLock)
{
  EXPECT_EQ(requirements_txt(sample()), "# tiny: Tiny\n" + std::string(k_sample_lock));
}

TEST(Export, CondaGetsTheVersionsWithoutDigests)
{
  EXPECT_EQ(environment_yml(sample()),
            "# Tiny\nname: tiny\nchannels:\n  - conda-forge\ndependencies:\n  - python=3.11\n"
            "  - pip\n  - pip:\n      - tiny==1.0\n");
}

TEST(Export, ADockerfileInstallsTheLockAndSetsTheVariables)
{
  EXPECT_EQ(
      dockerfile(sample()),
      "# Tiny\nFROM python:3.11-slim\nCOPY lock.txt /lock.txt\n"
      "RUN pip install --no-cache-dir --no-deps --require-hashes -r /lock.txt\nENV QUIET=1\n");
}

TEST(Export, OfAReleaseOfDebianItIsItsPackages)
{
  Description one = sample();
  one.release = "trixie";
  one.requirements.clear();
  one.system_packages = {"python3-torch", "g++"};
  EXPECT_THAT(dockerfile(one),
              testing::HasSubstr("FROM debian:trixie\nRUN apt-get update && apt-get "
                                 "install -y --no-install-recommends python3-torch "
                                 "g++ &&"));
}

TEST(Export, OfNodeItIsForNpm)
{
  Description one = sample();
  one.lock.clear();
  one.requirements.clear();
  one.variables.clear();
  one.packages = {{"node", "20"}, {"@tensorflow/tfjs", "4.22.0"}};
  EXPECT_EQ(dockerfile(one),
            "# Tiny\nFROM node:20-slim\nRUN npm install @tensorflow/tfjs@4.22.0\n");
  EXPECT_THAT(environment_yml(one), testing::HasSubstr("dependencies:\n  - nodejs=20\n"));
  EXPECT_THAT(requirements_txt(one), testing::HasSubstr("npm install @tensorflow/tfjs@4.22.0\n"));
}

TEST(Export, WithoutALockItIsTheVersionsThatAreKnown)
{
  Description one = sample();
  one.lock.clear();
  one.requirements.clear();
  EXPECT_EQ(requirements_txt(one),
            "# tiny: Tiny\n# Faultline takes these from Debian; the versions are what PyPI calls "
            "them.\ntiny==1.0\n");
  EXPECT_THAT(dockerfile(one), testing::HasSubstr("RUN pip install --no-cache-dir tiny==1.0\n"));
}

} // namespace faultline::environment
