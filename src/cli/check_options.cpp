#include "cli/check_options.hpp"

#include "check/walk.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>
#include <thread>

namespace faultline::cli {

std::shared_ptr<CheckOptions> add_check_options(Arguments& arguments)
{
  auto options = std::make_shared<CheckOptions>();
  options->check.jobs = std::max(1U, std::thread::hardware_concurrency());
  options->check.isolated = true;
  arguments.option("path", options->paths, "scripts, notebooks or folders; - is standard input")
      .required()
      .named("PATH");
  arguments.option("--format", options->format, "text (default), json, sarif or github")
      .one_of({"text", "json", "sarif", "github"})
      .named("NAME");
  arguments.option("--output", options->output, "write to this file instead of standard output")
      .named("FILE");
  const std::string rules = "Which rules (codes, prefixes such as DL3 or NU, groups, names)";
  arguments
      .option("--select", options->check.select, "apply only these; `all` includes preview rules")
      .separated_by(',')
      .repeated()
      .named("RULES")
      .in_group(rules);
  arguments.option("--ignore", options->check.ignore, "skip these")
      .separated_by(',')
      .repeated()
      .named("RULES")
      .in_group(rules);
  arguments
      .option("--severity",
              options->severity,
              "lowest severity to show (warning; JSON and SARIF: info)")
      .one_of({"info", "warning", "error"})
      .named("LEVEL")
      .in_group(rules);
  arguments
      .flag("--no-config", options->no_config, "do not read [tool.faultline] of pyproject.toml")
      .in_group(rules);
  const std::string fixes = "Fixes";
  arguments
      .flag("--fix", options->fix, "apply fixes that cannot change what a correct program does")
      .in_group(fixes);
  arguments
      .flag("--unsafe", options->unsafe, "with --fix or --diff: include fixes that need a review")
      .in_group(fixes);
  arguments.flag("--diff", options->diff, "print the fixes as a diff and change nothing")
      .in_group(fixes);
  arguments.flag("--statistics",
                 options->statistics,
                 "also print the number of findings of each rule, and of files");
  arguments.flag(
      "--explain-model",
      options->explain_model,
      "print the layers of every model, with shapes and parameters, instead of findings");
  arguments.option("--jobs", options->check.jobs, "files to analyse in parallel (number of cores)")
      .within(1, 256)
      .named("N");
  arguments
      .option(
          "--stdin-name", options->stdin_name, "file name to report for standard input (stdin.py)")
      .named("FILE");
  return options;
}

Result<void> check_consistency(const CheckOptions& options)
{
  const auto is_stdin = [](const std::string& path) { return path == "-"; };
  const auto refused = [](std::string why) { return Error{ErrorKind::usage, std::move(why)}; };
  if (std::ranges::any_of(options.paths, is_stdin) && options.paths.size() > 1) {
    return refused("standard input (-) cannot be checked together with other paths");
  }
  if (options.fix && std::ranges::any_of(options.paths, is_stdin)) {
    return refused("--fix cannot write to standard input; use --diff");
  }
  if (options.fix && options.diff) {
    return refused("--fix changes files and --diff does not: use only one of them");
  }
  if (options.unsafe && !options.fix && !options.diff) {
    return refused("--unsafe needs --fix or --diff");
  }
  if (options.explain_model && (options.fix || options.diff)) {
    return refused("--explain-model cannot be combined with --fix");
  }
  if (options.explain_model && options.format != "text" && options.format != "json") {
    return refused("--explain-model prints text or json, not " + options.format);
  }
  if (options.diff && options.format != "text") {
    return refused("--diff prints a diff, not --format " + options.format);
  }
  return {};
}

Result<CheckSubjects> find_subjects(const CheckOptions& options)
{
  static const check::Config k_no_config;
  CheckSubjects subjects;
  subjects.configs = std::make_unique<check::ConfigFinder>();
  const auto config_of = [&](const std::string& path) -> Result<const check::Config*> {
    if (options.no_config) {
      return &k_no_config;
    }
    return subjects.configs->config_of(path);
  };
  if (options.paths.front() == "-") {
    FL_TRY(const check::Config* config, config_of(options.stdin_name));
    subjects.all.push_back(
        {options.stdin_name, config, std::string(std::istreambuf_iterator<char>(std::cin), {})});
    return subjects;
  }
  check::Walk walk = check::find_programs(options.paths);
  subjects.unreadable = std::move(walk.unreadable);
  std::set<std::string> named; // by the user, so no pattern excludes them
  for (const std::string& path : options.paths) {
    named.insert(std::filesystem::path(path).lexically_normal().string());
  }
  for (std::string& file : walk.files) {
    FL_TRY(const check::Config* config, config_of(file));
    if (named.contains(file) || !config->excludes(file)) {
      subjects.all.push_back({std::move(file), config});
    }
  }
  return subjects;
}

} // namespace faultline::cli
