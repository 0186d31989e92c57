// Another thread stops one job; whatever the job is made of is gone when `run` returns.

#include "base/clock.hpp"
#include "run/job_fixture.hpp"

namespace faultline::run {

class Stop : public testing::TestWithParam<Start> {};

INSTANTIATE_TEST_SUITE_P(Starts,
                         Stop,
                         testing::Values(Start::cold, Start::warm),
                         [](const testing::TestParamInfo<Start>& start) {
                           return start.param == Start::cold ? "Cold" : "Warm";
                         });

// Prints, then has a child that ignores signals and would run on.
static Job stubborn_job(Start start)
{
  Job job = python_job("import os, signal, subprocess, time\n"
                       "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                       "child = subprocess.Popen(['sleep', '31.4159'])\n"
                       "print('begun', flush=True)\n"
                       "time.sleep(30)\n");
  job.limits.wall_seconds = 30;
  job.warm = start == Start::warm ? WarmStart::python : WarmStart::none;
  return job;
}

TEST_P(Stop, KillsTheJobAndAllItsProcesses)
{
  const std::string child = std::string("sleep\0", 6) + "31.4159";
  Runner runner({});
  StopFlag stop = false;
  double asked = 0;
  const RunOutcome outcome = runner.run(
      stubborn_job(GetParam()),
      machine(),
      [&](std::string_view text) {
        if (text.find("begun") != std::string_view::npos) {
          asked = monotonic_seconds();
          // The child may be between its fork and its name.
          while (count_processes(child) == 0 && monotonic_seconds() < asked + 5) {
          }
          EXPECT_EQ(count_processes(child), 1);
          asked = monotonic_seconds();
          stop = true;
        }
      },
      &stop);
  EXPECT_EQ(outcome.ending, Ending::interrupted) << outcome.reason;
  EXPECT_EQ(outcome.log, "begun\n");
  EXPECT_LT(monotonic_seconds() - asked, 5);
  EXPECT_EQ(count_processes(child), 0);
  EXPECT_FALSE(interrupted()); // only this job

  const RunOutcome next = runner.run(python_job("print('fine')\n"), machine());
  EXPECT_TRUE(next.succeeded()) << next.log << next.reason;
}

TEST_P(Stop, AJobThatIsStoppedBeforeItBeginsDoesNotRunOn)
{
  Runner runner({});
  const StopFlag stop = true;
  const double start = monotonic_seconds();
  EXPECT_EQ(runner.run(stubborn_job(GetParam()), machine(), {}, &stop).ending, Ending::interrupted);
  EXPECT_LT(monotonic_seconds() - start, 25);
}

} // namespace faultline::run
