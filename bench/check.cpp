// What checking a program costs: parsing alone (the floor), understanding it, and all rules, as the
// median per file; then the whole set on all cores with its peak of memory.
//
//   bench_check PATH… [--repeats N]

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "program/record/program.hpp"
#include "rules/reporter.hpp"
#include "run/pool.hpp"
#include "source/syntax.hpp"
#include "stats/two_samples.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

using namespace faultline;
namespace fs = std::filesystem;

static std::optional<std::string> text_of(const std::string& path)
{
  if (!fs::is_regular_file(path)) {
    return std::nullopt;
  }
  Result<std::string> text = read_file(path);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

static std::vector<std::string> python_files(const std::vector<std::string>& paths)
{
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (fs::is_regular_file(path)) {
      files.push_back(path);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().extension() == ".py") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

template <typename Work> static double seconds_of(const Work& work)
{
  const double start = monotonic_seconds();
  work();
  return monotonic_seconds() - start;
}

int main(int argc, char** argv)
{
  std::vector<std::string> paths;
  int repeats = 3;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--repeats" && i + 1 < argc) {
      repeats = std::atoi(argv[++i]);
    } else {
      paths.emplace_back(argv[i]);
    }
  }
  const std::vector<std::string> files = python_files(paths);
  if (files.empty()) {
    std::cerr << "bench_check: no Python files; name files or folders\n";
    return 2;
  }
  std::vector<double> parsing;
  std::vector<double> understanding;
  std::vector<double> checking;
  size_t bytes = 0;
  std::pair<double, std::string> slowest;
  for (const std::string& file : files) {
    const std::string text = text_of(file).value_or("");
    bytes += text.size();
    std::vector<double> parse;
    std::vector<double> understand;
    std::vector<double> check;
    for (int i = 0; i < repeats; ++i) {
      parse.push_back(
          seconds_of([&] { source::SyntaxTree::parse(text, source::Language::python); }));
      std::unique_ptr<const program::Program> program;
      understand.push_back(seconds_of([&] { program = program::analyse(file, text, text_of); }));
      check.push_back(understand.back() +
                      seconds_of([&] { rules::check(*program, rules::all_rules()); }));
    }
    parsing.push_back(stats::median(parse));
    understanding.push_back(stats::median(understand));
    checking.push_back(stats::median(check));
    slowest = std::max(slowest, {checking.back(), file});
  }
  const double floor = stats::median(parsing);
  std::cout << format(
      "{} files, {:.1f} MB; median per file: parse {:.2f} ms, understand {:.2f} ms, "
      "check {:.2f} ms (ratio to parsing {:.1f})\n",
      files.size(),
      static_cast<double>(bytes) / 1e6,
      floor * 1e3,
      stats::median(understanding) * 1e3,
      stats::median(checking) * 1e3,
      stats::median(checking) / floor);
  std::cout << format("slowest: {:.1f} ms {}\n", slowest.first * 1e3, slowest.second);
  const double all = seconds_of([&] {
    run::for_each_parallel(
        files.size(),
        std::thread::hardware_concurrency(),
        [] { return 0; },
        [&](int&, size_t i) {
          const auto program = program::analyse(files[i], text_of(files[i]).value_or(""), text_of);
          rules::check(*program, rules::all_rules());
        });
  });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << format("all of them on {} threads: {:.2f} s, peak memory {:.0f} MB\n",
                      std::thread::hardware_concurrency(),
                      all,
                      static_cast<double>(usage.ru_maxrss) / 1024);
}
