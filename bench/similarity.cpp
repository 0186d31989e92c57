// How long the similarity of all pairs of fixes takes, by tree edit distance, against loading the
// catalogue itself.
//
//   bench_similarity [REPEATS]

#include "catalog/similarity.hpp"

#include "base/clock.hpp"
#include "base/format.hpp"
#include "stats/two_samples.hpp"

#include <cstdlib>
#include <iostream>

using namespace faultline;

int main(int argc, char** argv)
{
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 11;
  std::vector<double> loading;
  std::vector<double> comparing;
  size_t faults = 0;
  for (int i = 0; i < repeats; ++i) {
    const double start = monotonic_seconds();
    const Result<catalog::Catalog> all = catalog::load_catalog(FL_SOURCE_DIR);
    if (!all) {
      std::cerr << all.error().line() << '\n';
      return 3;
    }
    const double loaded = monotonic_seconds();
    const catalog::Similarity similarity(*all);
    loading.push_back(loaded - start);
    comparing.push_back(monotonic_seconds() - loaded);
    faults = all->faults.size();
  }
  std::cout << format(
      "load {} faults: {:.1f} ms; all {} pairs: {:.1f} ms (ratio {:.2f}; medians of {})\n",
      faults,
      stats::median(loading) * 1e3,
      faults * (faults - 1) / 2,
      stats::median(comparing) * 1e3,
      stats::median(comparing) / stats::median(loading),
      repeats);
}
