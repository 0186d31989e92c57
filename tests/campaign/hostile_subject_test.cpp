// Each switch of the hostile subject, turned on, ends a run as expected.json says, and the toy
// trainer is as fast and as repeatable as the engine's tests need it.

#include "base/file.hpp"
#include "base/json.hpp"
#include "run/environment.hpp"
#include "run/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

namespace faultline::campaign {

static const run::Environment& machine()
{
  static const run::Environment k_machine = run::discover_environment(FL_SOURCE_DIR, {});
  return k_machine;
}

static run::Job job_of(const std::string& subject)
{
  const auto files = read_tree(std::filesystem::path(FL_TEST_DATA) / "campaign" / subject);
  EXPECT_TRUE(files) << files.error().line();
  run::Job job;
  job.files = *files;
  job.command = {"python3", "train.py"};
  job.variables = run::program_variables(machine());
  job.mounts = run::program_mounts(machine());
  job.limits.wall_seconds = 30;
  job.limits.cpu_seconds = 30;
  job.limits.memory_mib = 256;
  job.limits.disk_mib = 16;
  return job;
}

static run::RunOutcome run_job(const run::Job& job)
{
  run::Runner runner({});
  return runner.run(job, machine());
}

// As coarse as it can be told without a campaign.
static std::string symptom_of(const run::RunOutcome& outcome)
{
  if (outcome.ending == run::Ending::timed_out) {
    return "hang";
  }
  if (outcome.ending == run::Ending::out_of_memory ||
      outcome.log.find("\nMemoryError") != std::string::npos) {
    return "out-of-memory";
  }
  if (!outcome.succeeded()) {
    return "crash";
  }
  const size_t at = outcome.log.find("test accuracy ");
  if (at == std::string::npos) {
    return "invalid-metric";
  }
  const double accuracy = std::stod(outcome.log.substr(at + 14));
  return !std::isfinite(accuracy)       ? "not-a-number"
         : accuracy < 0 || accuracy > 1 ? "invalid-metric"
                                        : "normal";
}

// The switch of `function` turned on.
static void turn_on(run::Job& job, const std::string& function)
{
  std::string& text = job.files["switches.py"];
  const size_t at = text.find("wanted = False", text.find("def " + function + "("));
  ASSERT_NE(at, std::string::npos) << function;
  text.replace(at, 14, "wanted = True");
}

TEST(HostileSubject, ends_as_expected)
{
  const run::Job clean = job_of("hostile");
  EXPECT_EQ(symptom_of(run_job(clean)), "normal");
  const Json expected = parse_json(clean.files.at("expected.json"));
  size_t switches = 0;
  for (size_t at = 0;
       (at = clean.files.at("switches.py").find("wanted = False", at)) != std::string::npos;
       ++at) {
    ++switches;
  }
  EXPECT_EQ(expected.size(), switches);
  for (const auto& [function, symptom] : expected.items()) {
    run::Job job = clean;
    turn_on(job, function);
    if (symptom == "hang") {
      job.limits.wall_seconds = 1.5;
    }
    const run::RunOutcome outcome = run_job(job);
    EXPECT_EQ(symptom_of(outcome), symptom)
        << function << ": " << run::describe(outcome) << " " << outcome.log.substr(0, 500);
  }
}

TEST(ToyTrainer, is_repeatable)
{
  const run::RunOutcome once = run_job(job_of("toy"));
  ASSERT_TRUE(once.succeeded()) << once.log;
  EXPECT_THAT(once.log, testing::HasSubstr("epoch 9 loss "));
  EXPECT_THAT(once.log, testing::HasSubstr("test accuracy 0."));
  EXPECT_EQ(once.log, run_job(job_of("toy")).log);
}

} // namespace faultline::campaign
