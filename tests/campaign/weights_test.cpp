#include "campaign/weights.hpp"
#include "inject/selection.hpp"
#include "run/job_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace faultline::campaign {

namespace {

run::Job torch_job(const std::string& code)
{
  run::Job job = run::python_job(code);
  job.command.front() = run::machine().python->path.string();
  job.limits.wall_seconds = 180;
  job.limits.cpu_seconds = 180;
  job.limits.memory_mib = 2048;
  job.returns_result = true;
  return job;
}

// What `code` writes to the result descriptor.
std::string result_of(const std::string& code)
{
  const run::RunOutcome outcome = run::run_cold(torch_job(code), run::Isolation::sandbox);
  EXPECT_TRUE(outcome.succeeded()) << outcome.log << outcome.reason;
  return outcome.result;
}

const std::string& model()
{
  static const std::string k_model = result_of(*read_file(FL_TEST_DATA "/weights/make.py"));
  return k_model;
}

// Every operator with each of its settings.
std::vector<WeightChange> all_changes()
{
  std::vector<WeightChange> changes;
  const auto operators = inject::select_operators({"weights"});
  for (const inject::Operator* op : *operators) {
    if (op->setting.values.empty()) {
      changes.push_back({op, "", 1});
    }
    for (const std::string_view value : op->setting.values) {
      changes.push_back({op, std::string(value), 1});
    }
  }
  return changes;
}

std::string error_of(const std::string& weights)
{
  const auto changed =
      change_weights(weights, {{inject::find_operator("GF"), "0.1", 1}}, run::machine());
  return changed ? "" : changed.error().line();
}

} // namespace

TEST(Weights, EveryOperatorDoesWhatDefinesIt)
{
  const std::vector<WeightChange> changes = all_changes();
  const auto changed = change_weights(model(), changes, run::machine());
  ASSERT_TRUE(changed) << changed.error().line();
  ASSERT_EQ(changed->size(), changes.size());
  run::Job check = torch_job(*read_file(FL_TEST_DATA "/weights/check.py"));
  check.files["program/before.pt"] = model();
  for (size_t i = 0; i < changes.size(); ++i) {
    const ChangedWeights& made = (*changed)[i];
    EXPECT_EQ(made.unsuitable, "") << changes[i].op->code << " " << changes[i].setting;
    EXPECT_NE(made.note, "") << changes[i].op->code;
    check.files["program/" + std::string(changes[i].op->code) + "_" + changes[i].setting + ".pt"] =
        made.bytes;
  }
  const run::RunOutcome outcome = run::run_cold(check, run::Isolation::sandbox);
  EXPECT_EQ(outcome.log, "all hold\n");
}

TEST(Weights, TheSameSeedGivesTheSameBytes)
{
  std::vector<WeightChange> changes = all_changes();
  const auto first = change_weights(model(), changes, run::machine());
  const auto second = change_weights(model(), changes, run::machine());
  for (WeightChange& change : changes) {
    change.seed = 2;
  }
  const auto other = change_weights(model(), changes, run::machine());
  ASSERT_TRUE(first && second && other);
  size_t differing = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ((*first)[i].bytes == (*second)[i].bytes, true) << changes[i].op->code;
    differing += (*first)[i].bytes != (*other)[i].bytes ? 1U : 0U;
  }
  // Rounding knows no chance; choosing one of two or three layers may fall on the same.
  EXPECT_GT(differing, changes.size() / 2);
}

TEST(Weights, InvertingTwiceGivesTheOriginal)
{
  const WeightChange inverse{inject::find_operator("NAI"), "0.5", 3};
  const auto once = change_weights(model(), {inverse}, run::machine());
  ASSERT_TRUE(once);
  const auto twice = change_weights(once->front().bytes, {inverse}, run::machine());
  ASSERT_TRUE(twice);
  EXPECT_NE(once->front().bytes == model(), true);
  EXPECT_TRUE(twice->front().bytes == model());
}

TEST(Weights, SayWhyAnOperatorDoesNotApply)
{
  const std::string small = result_of("import io, os, torch\n"
                                      "data = io.BytesIO()\n"
                                      "torch.save(torch.nn.Linear(4, 2).state_dict(), data)\n"
                                      "os.write(9, data.getvalue())\n");
  std::map<std::string_view, std::string> reasons;
  const std::vector<WeightChange> changes = all_changes();
  const auto changed = change_weights(small, changes, run::machine());
  ASSERT_TRUE(changed) << changed.error().line();
  for (size_t i = 0; i < changes.size(); ++i) {
    reasons[changes[i].op->code] = (*changed)[i].unsuitable;
    EXPECT_EQ((*changed)[i].unsuitable.empty(), !(*changed)[i].bytes.empty());
  }
  EXPECT_EQ(reasons["MU111"], "");
  EXPECT_EQ(reasons["MU113"], "there is no layer behind another");
  EXPECT_EQ(reasons["MU116"], "no layer has as many outputs as inputs");
  EXPECT_EQ(reasons["MU119"], "no two layers have the same shape");
  EXPECT_EQ(reasons["MU127"], "there is no recurrent layer");
  EXPECT_EQ(reasons["MU132"], "there is no hidden layer");
}

TEST(Weights, RefuseWhatHoldsNone)
{
  EXPECT_THAT(error_of("this is no archive"), testing::StartsWith("torch.load cannot read it ("));
  EXPECT_THAT(error_of(""), testing::StartsWith("torch.load cannot read it ("));
  EXPECT_EQ(error_of(result_of("import io, os, torch\n"
                               "data = io.BytesIO()\n"
                               "torch.save({'epoch': 1}, data)\n"
                               "os.write(9, data.getvalue())\n")),
            "there is no state_dict in this file");
}

} // namespace faultline::campaign
