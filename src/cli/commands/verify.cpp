#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/format.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/filter_options.hpp"
#include "cli/run_options.hpp"
#include "proof/committed.hpp"
#include "proof/prover.hpp"
#include "proof/tally.hpp"
#include "report/junit.hpp"
#include "report/text_table.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <iostream>
#include <thread>

namespace faultline::cli {

namespace {

struct Options {
  std::shared_ptr<FilterOptions> filter;
  std::shared_ptr<RunOptions> run;
  std::vector<std::string> ids;
  std::string environment;
  int repeat = 1;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  bool fresh = false;
  bool json = false;
  bool verbose = false;
  bool record = false;
  bool changed = false;
  std::string junit;
};

Json report_json(const std::vector<proof::Proof>& proofs, double seconds)
{
  const proof::Tally tally = proof::tally(proofs);
  Json json;
  json["faults"] = Json::array();
  for (const proof::Proof& proof : proofs) {
    json["faults"].push_back(proof::proof_json(proof));
  }
  json["summary"] = {{"total", tally.total},
                     {"proved", tally.proved},
                     {"flaky", tally.flaky},
                     {"failed", tally.failed},
                     {"not_run", tally.not_run},
                     {"runs", tally.runs},
                     {"fresh_runs", tally.fresh_runs},
                     {"seconds", seconds}};
  return json;
}

std::string junit_of(const std::vector<proof::Proof>& proofs, const catalog::Catalog& all)
{
  std::vector<report::JUnitCase> cases;
  for (const proof::Proof& proof : proofs) {
    report::JUnitCase entry;
    entry.name = proof.id;
    entry.group = "faultline." + all.find(proof.id)->framework;
    entry.seconds = proof.buggy_seconds + proof.fixed_seconds;
    (proof.state() == proof::State::not_run ? entry.skipped : entry.failure) = proof.reason;
    cases.push_back(std::move(entry));
  }
  return report::junit_xml("faultline verify", cases);
}

std::string mark_of(const proof::Proof& proof, const Painter& paint)
{
  switch (proof.state()) {
  case proof::State::proved:
    return paint(Colour::green, "✓");
  case proof::State::not_run:
    return paint(Colour::yellow, "–");
  default:
    return paint(Colour::red, "✗");
  }
}

std::string print_proofs(const std::vector<proof::Proof>& proofs, const Session& session)
{
  const Painter paint = session.out();
  report::TextTable table({{""},
                           {"FAULT", report::Align::left, Colour::bold},
                           {"RUNS", report::Align::right},
                           {"SEEDS", report::Align::right},
                           {"BUGGY s", report::Align::right},
                           {"FIXED s", report::Align::right},
                           {"WHY", report::Align::left}});
  for (const proof::Proof& proof : proofs) {
    table.add({mark_of(proof, paint),
               proof.id,
               format("{}", proof.runs),
               format("{}", proof.seeds),
               format("{:.2f}", proof.buggy_seconds),
               format("{:.2f}", proof.fixed_seconds),
               proof.flaky ? "flaky; " + proof.reason : proof.reason});
  }
  return table.print(paint, session.width());
}

std::string print_checks(const std::vector<proof::Proof>& proofs, const Painter& paint)
{
  std::string text;
  for (const proof::Proof& proof : proofs) {
    text += paint(Colour::bold, proof.id) + "\n";
    for (const proof::Check& check : proof.checks) {
      text += format("  {} {}: {}\n",
                     check.holds ? paint(Colour::green, "✓") : paint(Colour::red, "✗"),
                     check.name,
                     check.detail);
    }
    for (const proof::MissingRun& run : proof.missing) {
      text += format("  {} {}, seed {}, was not run: {}\n",
                     paint(Colour::yellow, "–"),
                     proof::name_of(run.purpose),
                     run.seed,
                     run.why);
    }
  }
  return text;
}

std::string print_tally(const proof::Tally& tally, double seconds, const Painter& paint)
{
  const bool all = tally.proved == tally.total;
  std::string text = paint(all ? Colour::green : Colour::red,
                           format("{} of {} proved", tally.proved, count_of(tally.total, "fault")));
  text += format(", {} failed, {} flaky", tally.failed, tally.flaky);
  if (tally.not_run > 0) {
    text += format(", {} not run", tally.not_run);
  }
  return text + format(" ({}, {} of them new, {}).\n",
                       count_of(tally.runs, "run"),
                       tally.fresh_runs,
                       print_duration(seconds));
}

// Anything that would prevent proofs for the selected frameworks.
Result<void> prepare(const std::vector<const catalog::Fault*>& faults,
                     const Options& options,
                     const run::Environments& environments,
                     run::Compiler& compiler)
{
  FL_CHECK(check_can_run(*options.run));
  const bool compiles = std::ranges::any_of(
      faults, [](const catalog::Fault* fault) { return fault->run.compile.has_value(); });
  if (compiles && environments.machine().toolchain) {
    return compiler.prepare();
  }
  return {};
}

Result<int> run(Session& session, Options& options)
{
  options.filter->filter.ids = options.ids;
  FL_TRY(const std::vector<const catalog::Fault*> faults,
         selected_faults(session, *options.filter));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(const run::Environments* environments, session.environments());
  FL_TRY(run::OutcomeStore * store, session.store());
  FL_TRY(const std::filesystem::path home, session.home());
  run::Compiler compiler(environments->machine(), home, options.run->config().isolation);
  FL_CHECK(prepare(faults, options, *environments, compiler));
  run::catch_interrupts();

  proof::CommittedProofs committed;
  std::function<bool(const catalog::Fault&)> on_record;
  if (options.changed) {
    FL_TRY(committed, proof::read_committed(all->root));
    on_record = [&committed](const catalog::Fault& fault) {
      return proof::is_on_record(committed, fault);
    };
  }
  proof::Prover prover(*environments,
                       *store,
                       compiler,
                       {options.repeat,
                        options.jobs,
                        options.fresh,
                        options.run->config(),
                        nullptr,
                        on_record,
                        options.environment});
  const double start = monotonic_seconds();
  std::vector<proof::Proof> proofs;
  {
    Progress progress("verify", prover.count_runs(faults));
    proofs =
        prover.prove(faults, [&progress](const proof::FinishedRun&, const catalog::Fault& fault) {
          progress.advance(fault.id);
        });
  }
  for (const proof::Proof& proof : proofs) {
    FL_CHECK(proof::remember(*store, *all->find(proof.id), proof, *environments));
  }
  if (options.record) {
    FL_TRY(const size_t changed, proof::commit_proofs(all->root, faults, all->ids(), *store));
    std::cerr << format("faultline: faults/proofs.csv: {} new or changed\n", changed);
  }
  const double seconds = monotonic_seconds() - start;
  if (!options.junit.empty()) {
    FL_CHECK(write_output(options.junit, junit_of(proofs, *all)));
  }
  if (options.json) {
    session.print_json(report_json(proofs, seconds));
  } else {
    const Painter paint = session.out();
    session.print(options.verbose ? print_checks(proofs, paint) : print_proofs(proofs, session));
    session.print("\n" + print_tally(proof::tally(proofs), seconds, paint));
  }
  if (run::interrupted()) {
    std::cerr << "faultline: interrupted; finished runs are kept, repeat the command to continue\n";
    return k_exit_interrupted;
  }
  const proof::Tally tally = proof::tally(proofs);
  return tally.failed + tally.flaky > 0 ? k_exit_found
         : tally.not_run > 0            ? k_exit_machine
                                        : k_exit_ok;
}

} // namespace

Action declare_verify(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->ids, "only these faults").named("ID");
  options->filter = add_filter_options(arguments);
  arguments
      .option(
          "--repeat", options->repeat, "number of seeds (1; a statistical oracle may need more)")
      .within(1, 1000)
      .named("N");
  arguments.option("--jobs", options->jobs, "runs in parallel (number of cores)")
      .within(1, 256)
      .named("N");
  arguments
      .option("--environment",
              options->environment,
              "prove in this environment only (all that a fault names and that are built)")
      .named("NAME");
  arguments.flag("--fresh", options->fresh, "rerun everything, even if its result is stored");
  arguments.flag("--verbose", options->verbose, "print every check with its numbers");
  arguments.flag("--json", options->json, "print JSON");
  arguments.flag(
      "--record",
      options->record,
      "write what is proved to faults/proofs.csv, the record that others see before they prove it");
  arguments.flag("--changed",
                 options->changed,
                 "prove only what is not on record in faults/proofs.csv; of the others, run each "
                 "version once");
  arguments.option("--junit", options->junit, "also write a JUnit XML report").named("FILE");
  options->run = add_run_options(arguments);
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
