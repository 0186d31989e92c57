// Builds real virtual environments, from a wheel that the test makes, so that no network is needed.

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "provision/builder.hpp"
#include "provision/disk_use.hpp"
#include "provision/interpreter.hpp"
#include "run/capture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace faultline::provision {

namespace fs = std::filesystem;

using environment::Description;
using testing::HasSubstr;
using testing::IsEmpty;

// Writes tiny-1.0-py3-none-any.whl into a folder, with what `tiny.py` says, and prints its digest.
constexpr const char* k_wheel = R"(
import hashlib, sys, zipfile
folder, said = sys.argv[1:]
path = folder + "/tiny-1.0-py3-none-any.whl"
info = "tiny-1.0.dist-info/"
files = {"tiny.py": f"SAID = {said!r}\n",
         info + "METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
         info + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
files[info + "RECORD"] = "".join(f"{name},,\n" for name in [*files, info + "RECORD"])
with zipfile.ZipFile(path, "w") as wheel:
    for name, text in files.items():
        wheel.writestr(zipfile.ZipInfo(name), text)
print(hashlib.sha256(open(path, "rb").read()).hexdigest())
)";

class BuilderTest : public testing::Test {
protected:
  void SetUp() override
  {
    setenv("PIP_NO_INDEX", "1", 1);
    setenv("PIP_FIND_LINKS", wheels().c_str(), 1);
    fs::create_directories(wheels());
    const Result<run::Captured> version = run::capture(
        {"/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"});
    ASSERT_TRUE(version && version->status == 0);
    m_tiny.name = "tiny";
    m_tiny.title = "Tiny";
    m_tiny.driver = "venv";
    m_tiny.python = trim(version->output);
    m_tiny.requirements = {"tiny==1.0"};
    m_tiny.size_mb = 10;
    m_tiny.folder = m_folder->path() / "environments/tiny";
    lock(wheel("hello"));
  }
  void TearDown() override
  {
    unsetenv("PIP_NO_INDEX");
    unsetenv("PIP_FIND_LINKS");
  }

  fs::path wheels() const { return m_folder->path() / "wheels"; }
  fs::path kept() const { return m_folder->path() / "kept"; }

  std::string wheel(const std::string& said) const
  {
    const auto made = run::capture({"/usr/bin/python3", "-c", k_wheel, wheels().string(), said});
    EXPECT_TRUE(made && made->status == 0) << made->output;
    return std::string(trim(made->output));
  }

  void lock(const std::string& digest)
  {
    m_tiny.lock = format("# test\ntiny==1.0 --hash=sha256:{}\n", digest);
    ASSERT_TRUE(write_tree(m_tiny.folder, {{"lock.txt", m_tiny.lock}}));
  }

  Result<Plan> plan() const { return plan_build(m_tiny, "", kept()); }

  Result<Build> built(bool fresh = false)
  {
    Result<Plan> planned = plan();
    if (!planned) {
      return planned.error();
    }
    planned->site.has_uv = false;
    return build(*planned, FL_SOURCE_DIR "/probes", fresh, [this](std::string_view line) {
      m_said += std::string(line) + "\n";
    });
  }

  Result<TempDir> m_folder = TempDir::create();
  Description m_tiny;
  std::string m_said;
};

TEST_F(BuilderTest, BuildsOnceAndProgramsFindWhatWasAskedFor)
{
  const Result<Build> first = built();
  ASSERT_TRUE(first) << first.error().line();
  EXPECT_FALSE(first->was_there);
  EXPECT_EQ(first->built.packages.at("tiny"), "1.0");
  EXPECT_GT(first->built.bytes, 0U);
  EXPECT_THAT(m_said, HasSubstr("tiny: download packages (2 of 4)\n"));
  const auto used = run::capture(
      {(first->built.folder / "bin/python3").string(), "-c", "import tiny; print(tiny.SAID)"});
  EXPECT_EQ(used->output, "hello\n");

  const Result<Build> second = built();
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->was_there);
  EXPECT_EQ(second->built.content, first->built.content);
}

TEST_F(BuilderTest, BuiltAgainItIsTheSameToTheByte)
{
  const Result<Build> first = built();
  ASSERT_TRUE(first) << first.error().line();
  const Result<Build> again = built(true);
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_FALSE(again->was_there);
  EXPECT_EQ(again->built.content, first->built.content);
  EXPECT_THAT(again->notes, IsEmpty());

  // Something changes a file behind its back: the next build says which.
  fs::path module;
  for (const auto& entry : fs::recursive_directory_iterator(first->built.folder)) {
    module = entry.path().filename() == "tiny.py" ? entry.path() : module;
  }
  ASSERT_TRUE(write_file(first->built.folder / environment::k_manifest_file,
                         replace_all(*read_file(first->built.folder / environment::k_manifest_file),
                                     "tiny.py ",
                                     "tiny.py 0")));
  const Result<Build> third = built(true);
  ASSERT_TRUE(third);
  EXPECT_THAT(third->notes,
              testing::ElementsAre("not as in the build before: " +
                                   module.lexically_relative(first->built.folder).string()));
}

TEST_F(BuilderTest, AFileThatIsNotTheLockedOneIsRefusedAndNothingIsBuilt)
{
  wheel("something else");
  const Result<Build> refused = built();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().line(), HasSubstr("cannot download packages: ERROR: "));
  EXPECT_THAT(refused.error().line(), HasSubstr("DO NOT MATCH THE HASHES"));
  EXPECT_FALSE(environment::find_built(m_tiny, kept()));
  wheel("hello");
  const Result<Build> next = built();
  EXPECT_TRUE(next) << next.error().line();
}

TEST_F(BuilderTest, WithoutTheNetworkItSaysSoAndTheNextTryGoesOn)
{
  fs::remove(wheels() / "tiny-1.0-py3-none-any.whl");
  const Result<Build> failed = built();
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().line(), HasSubstr("cannot download packages"));
  EXPECT_THAT(failed.error().line(), HasSubstr("repeat the command to go on"));
  wheel("hello");
  EXPECT_TRUE(built());
  // Fetched once, it is not asked for again.
  fs::remove(wheels() / "tiny-1.0-py3-none-any.whl");
  setenv("PIP_FIND_LINKS", environment::downloads_folder(kept()).c_str(), 1);
  EXPECT_TRUE(built(true));
}

TEST_F(BuilderTest, KilledInTheMiddleItIsNoEnvironmentAndLeavesNothingRunning)
{
  Result<Plan> planned = plan();
  ASSERT_TRUE(planned);
  planned->site.has_uv = false;
  Plan slow = *planned;
  slow.steps.insert(
      slow.steps.begin() + 1,
      {"wait", {"sh", "-c", "touch \"$0\"; sleep 60 & sleep 60", slow.site.folder / "begun"}});
  const pid_t child = fork();
  if (child == 0) {
    (void)build(slow, FL_SOURCE_DIR "/probes", false, [](std::string_view) {});
    _exit(0);
  }
  const double end = monotonic_seconds() + 60;
  while (!fs::exists(slow.site.folder / "begun") && monotonic_seconds() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(fs::exists(slow.site.folder / "begun"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(environment::find_built(m_tiny, kept()));

  const Result<Build> next = built();
  ASSERT_TRUE(next) << next.error().line();
  const auto running = run::capture({"pgrep", "-fx", "sleep 60"});
  for (const std::string_view pid : split_lines(running->output)) {
    const Result<std::string> variables = read_file(fs::path("/proc") / pid / "environ");
    EXPECT_TRUE(!variables || variables->find("FAULTLINE_BUILDING") == std::string::npos);
  }
}

TEST_F(BuilderTest, WithoutEnoughRoomItDoesNotBegin)
{
  m_tiny.size_mb = 2'000'000'000;
  const Result<Build> refused = built();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().line(), HasSubstr("tiny needs about 2000000.0 GB in "));
  EXPECT_THAT(refused.error().line(), HasSubstr("(FAULTLINE_ENVIRONMENTS names another folder"));
}

TEST_F(BuilderTest, WhatTheMachineLacksIsSaidBeforeAnythingIsDone)
{
  m_tiny.python = "3.99";
  EXPECT_EQ(
      plan().error().line(),
      "no Python 3.99 on this machine (apt-get install python3.99-venv, or put it on the PATH)");
  m_tiny.driver = "mamba";
  EXPECT_EQ(plan().error().line(),
            "the driver mamba needs mamba, which is not installed (install Miniforge)");
  EXPECT_EQ(
      plan_build(m_tiny, "snap", kept()).error().line(),
      "unknown driver `snap`; it is one of system, venv, debian, conda, mamba, docker, podman");
}

TEST(PrintSize, UsesTheUnitThatFits)
{
  EXPECT_EQ(print_size(0), "0 kB");
  EXPECT_EQ(print_size(123'456), "123 kB");
  EXPECT_EQ(print_size(812'400'000), "812 MB");
  EXPECT_EQ(print_size(1'640'000'000), "1.6 GB");
}

} // namespace faultline::provision
