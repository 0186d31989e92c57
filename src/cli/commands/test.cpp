#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/checkout.hpp"
#include "cli/command.hpp"
#include "cli/run_options.hpp"
#include "proof/plan.hpp"
#include "proof/verdict.hpp"
#include "run/interrupt.hpp"

#include <iostream>

namespace faultline::cli {

namespace {

struct Options {
  std::string target;
  std::string version = "buggy";
  std::string environment;
  int seed = 0;
  bool quiet = false;
  bool json = false;
  std::shared_ptr<RunOptions> run;
};

struct Target {
  const catalog::Fault* fault;
  catalog::Version version;
  FileTree program;
};

// A fault of the catalogue, or a checkout in its current state.
Result<Target> find_target(Session& session, const Options& options)
{
  std::error_code code;
  if (std::filesystem::is_directory(options.target, code)) {
    FL_TRY(catalog::OpenedCheckout opened, catalog::open_checkout(options.target));
    FL_TRY(const catalog::Fault* fault, session.fault(opened.id));
    return Target{fault, opened.version, std::move(opened.program)};
  }
  FL_TRY(const catalog::Fault* fault, session.fault(options.target));
  const catalog::Version version =
      options.version == "fixed" ? catalog::Version::fixed : catalog::Version::buggy;
  FL_TRY(FileTree program, catalog::program_of(*fault, version));
  return Target{fault, version, std::move(program)};
}

Json outcome_json(const Target& target,
                  const Options& options,
                  const run::RunOutcome& outcome,
                  const proof::Judgement& judgement)
{
  Json json;
  json["id"] = target.fault->id;
  json["version"] = catalog::name_of(target.version);
  json["seed"] = options.seed;
  json["verdict"] = proof::name_of(judgement.verdict);
  json["why"] = judgement.why;
  json["ending"] = run::name_of(outcome.ending);
  json["code"] = outcome.code;
  json["machine_failure"] = !outcome.is_verdict();
  json["seconds"] = {{"wall", outcome.wall_seconds}, {"cpu", outcome.cpu_seconds}};
  json["peak_memory_kib"] = outcome.peak_memory_kib;
  json["warm"] = outcome.warm;
  if (judgement.metric) {
    json["metric"] = *judgement.metric;
  }
  json["log"] = outcome.log;
  return json;
}

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const Target target, find_target(session, options));
  FL_CHECK(check_can_run(*options.run));
  FL_TRY(const run::Environments* environments, session.environments());
  const std::string name =
      proof::places_of(*target.fault, *environments, options.environment).proved_in.front();
  const run::Environment* environment = &environments->get(name);
  FL_TRY(const std::filesystem::path home, session.home());
  if (const std::optional<std::string> missing = environment->missing(target.fault->framework)) {
    return Error{ErrorKind::machine, *missing};
  }
  run::catch_interrupts();
  FL_TRY(
      run::Job job,
      proof::test_job(*target.fault, target.program, target.version, options.seed, *environment));
  run::Compiler compiler(*environment, home, options.run->config().isolation);
  std::optional<run::RunOutcome> outcome =
      proof::add_binary(*target.fault, target.program, job, compiler);
  const bool show = !options.quiet && !options.json;
  if (outcome && show) {
    std::cout << outcome->log;
  }
  if (!outcome) {
    // A fork server is not worth it for a single run: starting one costs as much as it saves.
    run::RunnerConfig config = options.run->config();
    config.warm = false;
    run::Runner runner(config);
    outcome = runner.run(job, *environment, [show](std::string_view text) {
      if (show) {
        std::cout << text << std::flush;
      }
    });
  }
  const proof::Judgement judgement = proof::judge(*target.fault, *outcome);
  if (options.json) {
    session.print_json(outcome_json(target, options, *outcome, judgement));
  } else {
    const Painter paint = session.out();
    const bool passed = judgement.verdict == proof::Verdict::pass;
    const Colour colour = passed ? Colour::green : Colour::red;
    session.print(format("{} {} ({}, seed {}): {}\n",
                         paint(colour,
                               passed                                      ? "pass"
                               : judgement.verdict == proof::Verdict::fail ? "FAIL"
                                                                           : "none"),
                         target.fault->id,
                         catalog::name_of(target.version),
                         options.seed,
                         judgement.why));
    session.print(paint(Colour::dim,
                        format("     {} wall, {} CPU, {} MiB at peak",
                               print_duration(outcome->wall_seconds),
                               print_duration(outcome->cpu_seconds),
                               outcome->peak_memory_kib / 1024)) +
                  "\n");
  }
  if (outcome->ending == run::Ending::interrupted) {
    return k_exit_interrupted;
  }
  return judgement.verdict == proof::Verdict::pass   ? k_exit_ok
         : judgement.verdict == proof::Verdict::fail ? k_exit_found
                                                     : k_exit_machine;
}

} // namespace

Action declare_test(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("target", options->target, "a fault, or the folder of a checkout")
      .required()
      .named("ID|FOLDER");
  arguments.option("--version", options->version, "of a fault: buggy (default), fixed")
      .one_of({"buggy", "fixed"})
      .named("NAME");
  arguments.option("--seed", options->seed, "seed of the run, passed as FAULTLINE_SEED (0)")
      .at_least(0)
      .named("N");
  arguments
      .option("--environment", options->environment, "the one to run it in (the fault's first)")
      .named("NAME");
  arguments.flag("--quiet", options->quiet, "print only the verdict, not the output of the test");
  arguments.flag("--json", options->json, "print JSON, including the log");
  options->run = add_run_options(arguments);
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
