// How long a PyTorch job takes from being accepted to the first line of the program, from a fork
// server, against a cold `python3 -c 'import torch'` and a cold job in a sandbox of its own. All
// sides alternate in one run; the medians and their ratio are printed.
//
//   bench_warm_start [REPEATS]

#include "base/clock.hpp"
#include "base/format.hpp"
#include "run/capture.hpp"
#include "run/runner.hpp"
#include "stats/two_samples.hpp"

#include <cstdlib>
#include <iostream>

using namespace faultline;

// Seconds until the program's first line of output arrives.
static double time_to_first_line(run::Runner& runner, const run::Job& job)
{
  const double start = monotonic_seconds();
  double first = 0;
  const run::RunOutcome outcome = runner.run(job, [&first, start](std::string_view) {
    first = first == 0 ? monotonic_seconds() - start : first;
  });
  if (!outcome.succeeded()) {
    std::cerr << run::describe(outcome) << '\n' << outcome.log;
    std::exit(3);
  }
  return first;
}

int main(int argc, char** argv)
{
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 21;
  const run::Environment environment = run::discover_environment(FL_SOURCE_DIR, {});
  if (!environment.python) {
    std::cerr << *environment.missing("pytorch") << '\n';
    return 3;
  }
  run::Job warm_job;
  warm_job.files = {{"main.py", "print('first line', flush=True)\n"}};
  warm_job.command = {"python3", "main.py"};
  warm_job.variables = run::program_variables(environment);
  warm_job.mounts = run::program_mounts(environment);
  warm_job.warm = run::WarmStart::python;
  // The warm program has torch at hand; the cold one must import it to be as far.
  run::Job cold_job = warm_job;
  cold_job.files = {{"main.py", "import torch\nprint('first line', flush=True)\n"}};
  cold_job.warm = run::WarmStart::none;

  run::Runner runner(environment, {});
  time_to_first_line(runner, warm_job); // starts the server
  std::vector<double> import;
  std::vector<double> cold;
  std::vector<double> warm;
  for (int i = 0; i < repeats; ++i) {
    const double start = monotonic_seconds();
    const Result<run::Captured> imported =
        run::capture({environment.python->path.string(), "-c", "import torch"});
    import.push_back(monotonic_seconds() - start);
    if (!imported || imported->status != 0) {
      return 3;
    }
    cold.push_back(time_to_first_line(runner, cold_job));
    warm.push_back(time_to_first_line(runner, warm_job));
  }
  const double base = stats::median(import);
  const auto row = [base](const char* name, const std::vector<double>& seconds) {
    std::cout << format("{:<34} {:>9.1f} {:>9.1f}\n",
                        name,
                        stats::median(seconds) * 1e3,
                        base / stats::median(seconds));
  };
  std::cout << format("{:<34} {:>9} {:>9}   (medians of {})\n", "", "ms", "ratio", repeats);
  row("python3 -c 'import torch'", import);
  row("cold job, import torch, first line", cold);
  row("warm job, first line", warm);
}
