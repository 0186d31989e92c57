#include "base/text.hpp"
#include "environment/described.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <functional>

namespace faultline::environment {

using testing::ElementsAre;
using testing::EndsWith;

TEST(Description, IsReadFromItsFolder)
{
  const Description one = sample();
  EXPECT_EQ(one.name, "tiny");
  EXPECT_EQ(one.title, "Tiny");
  EXPECT_EQ(one.driver, "venv");
  EXPECT_FALSE(one.is_default);
  EXPECT_TRUE(one.is_for("keras"));
  EXPECT_FALSE(one.is_for("pytorch"));
  EXPECT_EQ(one.packages.at("tiny"), "1.0");
  EXPECT_THAT(one.requirements, ElementsAre("tiny==1.0"));
  EXPECT_THAT(one.modules, ElementsAre("tiny"));
  EXPECT_EQ(one.variables.at("QUIET"), "1");
  EXPECT_EQ(one.seeds, "tensorflow");
  EXPECT_EQ(one.lock, k_sample_lock);
}

TEST(Description, WhatIsWrongIsNamedWithItsLine)
{
  const auto check = [](std::string_view from, std::string_view to, const std::string& message) {
    const auto all = described_as(replace_all(k_sample, from, to));
    ASSERT_FALSE(all) << message;
    EXPECT_THAT(all.error().line(), EndsWith(message));
  };
  check("\"venv\"",
        "\"vnev\"",
        "environment.toml:3: unknown driver `vnev`; it is one of system, venv, debian, conda, "
        "mamba, docker, podman");
  check("title ", "titel ", "environment.toml:1: missing key `title`");
  check("import", "imports", "environment.toml:10: unknown key `imports`, did you mean `import`?");
  check("[\"tiny==1.0\"]", "1", "environment.toml:7: `requirements` must be a list of strings");
}

TEST(Description, AProjectWithoutEnvironmentsHasNone)
{
  const Result<TempDir> folder = TempDir::create();
  EXPECT_TRUE(load_descriptions(folder->path())->empty());
}

// PyPI's names are the same with a hyphen, an underscore or capitals.
static std::string canonical(std::string text)
{
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return text;
}

TEST(Description, ThoseOfThisProjectAreCompleteAndLocked)
{
  const Result<std::vector<Description>> all = load_descriptions(FL_SOURCE_DIR);
  ASSERT_TRUE(all) << all.error().line();
  for (const Description& one : *all) {
    EXPECT_FALSE(one.packages.empty()) << one.name;
    // Each requirement is in the lock in the version that it asks for.
    EXPECT_EQ(one.requirements.empty(), one.driver == "system" || !one.release.empty()) << one.name;
    for (const std::string& requirement : one.requirements) {
      EXPECT_NE(canonical(one.lock).find(canonical(requirement) + " --hash=sha256:"),
                std::string::npos)
          << one.name << " " << requirement;
    }
  }
  for (const char* framework : {"pytorch", "keras", "tensorflow", "tfjs", "libtorch"}) {
    const Description* usual = find(*all, usual_environment(framework));
    ASSERT_NE(usual, nullptr) << framework;
    EXPECT_TRUE(usual->is_for(framework)) << framework;
  }
}

TEST(Digest, ChangesWithWhatIsInstalledAndWithNothingElse)
{
  const Description one = sample();
  const auto changed = [&one](const std::function<void(Description&)>& change) {
    Description other = one;
    change(other);
    return digest_of(other) != digest_of(one);
  };
  EXPECT_TRUE(changed([](Description& d) { d.lock += "more==2 --hash=sha256:1\n"; }));
  EXPECT_TRUE(changed([](Description& d) { d.python = "3.12"; }));
  EXPECT_TRUE(changed([](Description& d) { d.driver = "conda"; }));
  EXPECT_TRUE(changed([](Description& d) { d.release = "trixie"; }));
  EXPECT_TRUE(changed([](Description& d) { d.system_packages = {"g++"}; }));
  EXPECT_FALSE(changed([](Description& d) { d.title = "Another"; }));
  EXPECT_FALSE(changed([](Description& d) { d.download_mb = 7; }));
}

} // namespace faultline::environment
