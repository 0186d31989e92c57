// How long a job takes from being accepted to the first line of the program, from a fork server
// that has the framework imported, against a cold job in a sandbox of its own that imports it. Both
// sides alternate in one run, in each environment that is built; the medians and their ratio are
// printed.
//
//   bench_warm_start [REPEATS]

#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "run/environments.hpp"
#include "run/runner.hpp"
#include "stats/two_samples.hpp"

#include <cstdlib>
#include <iostream>

using namespace faultline;

// Seconds until the program's first line of output arrives.
static double
time_to_first_line(run::Runner& runner, const run::Environment& environment, const run::Job& job)
{
  const double start = monotonic_seconds();
  double first = 0;
  const run::RunOutcome outcome = runner.run(job, environment, [&first, start](std::string_view) {
    first = first == 0 ? monotonic_seconds() - start : first;
  });
  if (!outcome.succeeded()) {
    std::cerr << run::describe(outcome) << '\n' << outcome.log;
    std::exit(3);
  }
  return first;
}

static void compare(const run::Environment& environment, int repeats)
{
  run::Job warm_job;
  run::place_in(environment, warm_job);
  warm_job.files = {{"main.py", "print('first line', flush=True)\n"}};
  warm_job.command = {"python3", "main.py"};
  warm_job.limits.memory_mib = 2048;
  warm_job.limits.wall_seconds = 120;
  warm_job.warm = run::WarmStart::python;
  // The warm program has the framework at hand; the cold one must import it to be as far.
  run::Job cold_job = warm_job;
  cold_job.files = {
      {"main.py",
       format("import {}\nprint('first line', flush=True)\n", join(environment.modules, ", "))}};
  cold_job.warm = run::WarmStart::none;

  run::Runner runner({});
  time_to_first_line(runner, environment, warm_job); // starts the server
  std::vector<double> cold;
  std::vector<double> warm;
  for (int i = 0; i < repeats; ++i) {
    cold.push_back(time_to_first_line(runner, environment, cold_job));
    warm.push_back(time_to_first_line(runner, environment, warm_job));
  }
  std::cout << format("{:<12} {:>9.1f} {:>9.1f} {:>9.1f}\n",
                      environment.name,
                      stats::median(cold) * 1e3,
                      stats::median(warm) * 1e3,
                      stats::median(cold) / stats::median(warm))
            << std::flush;
}

int main(int argc, char** argv)
{
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 21;
  const Result<run::Environments> all =
      run::discover_environments(FL_SOURCE_DIR, FL_SOURCE_DIR, {});
  if (!all) {
    std::cerr << all.error().line() << '\n';
    return 3;
  }
  std::cout << format("{:<12} {:>9} {:>9} {:>9}   (medians of {})\n",
                      "environment",
                      "cold ms",
                      "warm ms",
                      "ratio",
                      repeats);
  for (const environment::Description& described : all->descriptions()) {
    const run::Environment& one = all->get(described.name);
    if (!one.modules.empty() && !one.missing("pytorch")) {
      compare(one, repeats);
    }
  }
}
