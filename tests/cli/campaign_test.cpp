// A whole campaign as a user runs it: to its end, killed and resumed, exported.

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "run/capture.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <set>

namespace faultline {

namespace fs = std::filesystem;

static const std::string k_tiny = std::string(FL_TEST_DATA) + "/campaign/tiny/campaign.toml";

static run::Captured faultline(std::vector<std::string> arguments)
{
  arguments.insert(arguments.begin(), {FL_BINARY, "campaign"});
  const Result<run::Captured> captured = run::capture(arguments);
  EXPECT_TRUE(captured) << captured.error().line();
  return *captured;
}

// Every record of `campaign export --jsonl`.
static std::vector<Json> records_of(const fs::path& folder)
{
  const fs::path file = folder / "export.jsonl";
  const run::Captured made =
      faultline({"export", folder.string(), "--jsonl", "--output", file.string()});
  EXPECT_EQ(made.status, 0) << made.output;
  const Result<std::string> text = read_file(file);
  std::vector<Json> records;
  for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
    records.push_back(parse_json(line));
  }
  return records;
}

// What does not depend on how busy the machine is: everything but times and what they decide.
static std::map<std::string, std::string> outcomes_of(const std::vector<Json>& records)
{
  std::map<std::string, std::string> outcomes;
  for (const Json& record : records) {
    std::string symptom = record.at("symptom").get<std::string>();
    if (symptom == "slower" || symptom == "faster") {
      symptom = "normal";
    }
    const std::string key =
        record.at("variant").get<std::string>() + " " + record.at("repeat").dump();
    EXPECT_TRUE(
        outcomes.emplace(key, symptom + record.at("metrics").dump() + record.at("crash").dump())
            .second)
        << key << " was run twice";
  }
  return outcomes;
}

TEST(Campaign, RunsToItsEndAndShowsIt)
{
  const Result<TempDir> place = TempDir::create();
  const std::string folder = (place->path() / "c").string();
  const run::Captured ran = faultline({"run", k_tiny, "--out", folder, "--cold", "--workers", "2"});
  ASSERT_EQ(ran.status, 0) << ran.output;
  const std::vector<Json> records = records_of(folder);
  ASSERT_GT(records.size(), 12U) << ran.output;
  std::set<std::string> symptoms;
  std::string crashed;
  for (const Json& record : records) {
    symptoms.insert(record.at("symptom").get<std::string>());
    if (record.at("symptom") == "crash" && crashed.empty()) {
      crashed = record.at("variant").get<std::string>();
    }
    if (!record.at("variant").get<std::string>().empty()) {
      EXPECT_TRUE(record.at("diff").get<std::string>().starts_with("diff --git a/train.py"));
      EXPECT_EQ(record.at("file"), "train.py");
    }
  }
  EXPECT_TRUE(symptoms.contains("degraded")) << ran.output;

  const run::Captured status = faultline({"status", folder});
  EXPECT_NE(status.output.find("Tiny\n"), std::string::npos) << status.output;
  EXPECT_EQ(status.output.find("not yet"), std::string::npos) << status.output;
  const run::Captured clean = faultline({"log", folder, "clean"});
  EXPECT_TRUE(clean.output.starts_with("fitted 0.9")) << clean.output;
  const std::string some = records.back().at("variant").get<std::string>();
  const run::Captured diff = faultline({"diff", folder, some});
  EXPECT_EQ(diff.output, records.back().at("diff").get<std::string>());
  EXPECT_EQ(faultline({"report", folder}).status, 0);
  EXPECT_EQ(faultline({"report", folder, "--format", "json"}).status, 0);

  // Once more: nothing is left to run, nothing changes.
  const run::Captured again = faultline({"run", k_tiny, "--out", folder, "--cold"});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_EQ(outcomes_of(records_of(folder)), outcomes_of(records));
  // Another campaign does not get into the same folder.
  const Result<std::string> text = read_file(k_tiny);
  const fs::path other = place->path() / "other";
  fs::create_directory(other);
  fs::copy(fs::path(k_tiny).parent_path() / "train.py", other / "train.py");
  ASSERT_TRUE(write_file(other / "campaign.toml", *text + "\n"));
  const run::Captured refused =
      faultline({"run", (other / "campaign.toml").string(), "--out", folder, "--cold"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find(folder + " has a campaign already, of " + k_tiny +
                                ": choose another folder with --out"),
            std::string::npos)
      << refused.output;
}

// A program that changes under its campaign, as a user sees it.
TEST(Campaign, SaysWhatChangedAndRunsWhatNoLongerHolds)
{
  const Result<TempDir> place = TempDir::create();
  const fs::path program = place->path() / "program";
  fs::copy(fs::path(k_tiny).parent_path(), program);
  const std::string file = (program / "campaign.toml").string();
  const std::string folder = (program / "out").string(); // in the program's own folder, even
  const std::vector<std::string> run = {"run", file, "--out", folder, "--cold", "--limit", "3"};
  ASSERT_EQ(faultline(run).status, 0);
  const std::vector<Json> before = records_of(folder);
  const run::Captured unchanged = faultline(run);
  EXPECT_EQ(unchanged.output.find("changed"), std::string::npos) << unchanged.output;
  EXPECT_NE(unchanged.output.find("3 of 3 runs"), std::string::npos) << unchanged.output;

  const Result<std::string> source = read_file(program / "train.py");
  ASSERT_TRUE(write_file(program / "train.py", replace_all(*source, "range(20)", "range(1)")));
  const run::Captured changed = faultline({"resume", folder});
  EXPECT_EQ(changed.status, 0) << changed.output;
  EXPECT_TRUE(changed.output.starts_with("campaign: changed since the last time: train.py\n"))
      << changed.output;
  EXPECT_NE(changed.output.find("campaign: 0 of 3 runs still hold\n"), std::string::npos)
      << changed.output;
  EXPECT_NE(changed.output.find("3 of 3 runs"), std::string::npos) << changed.output;
  const std::vector<Json> after = records_of(folder);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_NE(after.front().at("metrics"), before.front().at("metrics"));
}

TEST(Campaign, AListOfAllAndOneVariantSideBySide)
{
  const Result<TempDir> place = TempDir::create();
  const std::string home = place->path().string();
  const auto at_home = [&home](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"/usr/bin/env", "FAULTLINE_HOME=" + home, FL_BINARY, "campaign"});
    const Result<run::Captured> captured = run::capture(arguments);
    EXPECT_TRUE(captured) << captured.error().line();
    return *captured;
  };
  ASSERT_EQ(at_home({"run", k_tiny, "--cold", "--limit", "2"}).status, 0);
  const run::Captured table = at_home({"list"});
  EXPECT_EQ(table.status, 0);
  EXPECT_TRUE(table.output.starts_with("NAME  PROGRAM")) << table.output;
  EXPECT_NE(table.output.find("2 of 2"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find(" MiB"), std::string::npos) << table.output;
  const Json json = parse_json(at_home({"list", "--json"}).output);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["name"], "tiny");
  EXPECT_EQ(json[0]["program"], k_tiny);
  EXPECT_EQ(json[0]["finished_runs"], 2);
  EXPECT_GT(json[0]["bytes"], 0);
  EXPECT_EQ(json[0]["last_run"].get<std::string>().size(), 20U); // 2026-01-02T03:04:05Z

  std::string variant;
  for (const Json& record : records_of(place->path() / "campaigns/tiny")) {
    variant = record.at("variant").get<std::string>();
  }
  const run::Captured same = at_home({"recheck", "tiny", variant});
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_NE(same.output.find("FROM NOTHING"), std::string::npos) << same.output;
  EXPECT_NE(same.output.find("The same symptom and metrics.\n"), std::string::npos) << same.output;
  const run::Captured unknown = at_home({"recheck", "tiny", "MU001-x"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.output.find("the campaign has no variant `MU001-x`"), std::string::npos)
      << unknown.output;
}

TEST(Campaign, AKillLosesNothingAndResumeRepeatsNothing)
{
  const Result<TempDir> place = TempDir::create();
  // The same program, slow enough to be caught in the middle.
  const fs::path program = place->path() / "program";
  fs::copy(fs::path(k_tiny).parent_path(), program);
  const Result<std::string> source = read_file(program / "train.py");
  ASSERT_TRUE(write_file(program / "train.py",
                         replace_all(*source,
                                     "    points = load(seed)\n",
                                     "    __import__('time').sleep(0.4)\n"
                                     "    points = load(seed)\n")));
  const std::string file = (program / "campaign.toml").string();
  const std::string whole = (place->path() / "whole").string();
  const std::string folder = (place->path() / "killed").string();
  ASSERT_EQ(faultline({"run", file, "--out", whole, "--cold", "--limit", "8"}).status, 0);

  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stdout) == nullptr ||
        freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(1);
    }
    execl(FL_BINARY,
          FL_BINARY,
          "campaign",
          "run",
          file.c_str(),
          "--out",
          folder.c_str(),
          "--cold",
          "--limit",
          "8",
          "--workers",
          "1",
          nullptr);
    _exit(1);
  }
  // Until some runs of variants are done (two clean ones come first), but not all.
  size_t finished = 0;
  for (int i = 0; i < 1200 && finished < 2; ++i) {
    usleep(50'000);
    if (waitpid(child, nullptr, WNOHANG) != 0) {
      break;
    }
    if (fs::exists(folder + "/campaign.sqlite")) {
      const run::Captured status = faultline({"status", folder, "--json"});
      const Json json = parse_json(status.output);
      finished = json.is_object() ? json.value("finished_runs", size_t{0}) : 0;
    }
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_GE(finished, 2U);

  const std::vector<Json> before = records_of(folder);
  EXPECT_LT(before.size(), 10U);
  const run::Captured resumed = faultline({"resume", folder});
  ASSERT_EQ(resumed.status, 0) << resumed.output;
  const std::vector<Json> after = records_of(folder);
  EXPECT_EQ(after.size(), 10U);
  EXPECT_EQ(outcomes_of(after), outcomes_of(records_of(whole)));
  // What was there is as it was, its times included: it was not run again.
  std::map<std::string, Json> by_key;
  for (const Json& record : after) {
    by_key[record.at("variant").get<std::string>() + record.at("repeat").dump()] = record;
  }
  for (const Json& record : before) {
    EXPECT_EQ(by_key[record.at("variant").get<std::string>() + record.at("repeat").dump()], record);
  }
}

} // namespace faultline
