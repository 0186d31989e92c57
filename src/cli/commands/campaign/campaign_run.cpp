#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "campaign/chunks.hpp"
#include "campaign/slurm.hpp"
#include "cli/commands/campaign/campaign.hpp"
#include "cli/run_options.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>

namespace faultline::cli {

namespace fs = std::filesystem;

namespace {

// Slurm gives a task 30 s to end by default (KillWait).
constexpr double k_leftover_seconds = 40;

struct Options {
  std::string file; // or the folder, for resume
  std::string out;
  std::string data;
  bool exact = false;
  bool cold = false;
  bool no_sandbox = false;
  size_t workers = 0;
  size_t at_once = 0; // tasks of Slurm: --workers, where it was given
  std::string executor;
  size_t limit = 0;
  size_t chunk = 0;
};

campaign::SessionOptions session_options(const Options& options, CampaignProgress& progress)
{
  campaign::SessionOptions made;
  made.engine.mode = options.cold    ? campaign::Mode::cold
                     : options.exact ? campaign::Mode::exact
                                     : campaign::Mode::fast;
  made.engine.isolation = options.no_sandbox ? run::Isolation::none : run::Isolation::sandbox;
  made.workers = options.workers;
  made.version = FL_VERSION;
  if (options.limit > 0) {
    made.most_variants = options.limit;
  }
  made.tell = [&progress](std::string_view what) { progress.tell(what); };
  made.say = [&progress](std::string_view what) { progress.say(what); };
  made.on_progress = [&progress](const campaign::Standing& standing) { progress.show(standing); };
  return made;
}

// "Sentence classifier (v2)" → "sentence-classifier-v2"
std::string slug_of(std::string_view name)
{
  std::string slug;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') {
    slug.pop_back();
  }
  return slug.empty() ? "campaign" : slug;
}

Result<void> use_data(const Options& options, campaign::Spec& spec)
{
  if (options.data.empty()) {
    return {};
  }
  std::error_code code;
  if (!fs::is_directory(options.data, code)) {
    return Error{ErrorKind::not_found, format("--data: there is no folder {}", options.data)};
  }
  if (spec.data_option.empty()) {
    return Error{
        ErrorKind::usage,
        format("--data: {} does not say which option its program takes (data_option = \"…\")",
               spec.file.string())};
  }
  spec.data_folder = fs::canonical(options.data, code);
  return {};
}

// The store for `spec`, new or the one of the same campaign file, however that has changed.
Result<campaign::Store> store_for(const campaign::Spec& spec, const fs::path& folder)
{
  const bool known = campaign::Store::exists(folder);
  FL_TRY(campaign::Store store, campaign::Store::open(folder));
  if (known && campaign::is_planned(store)) {
    FL_TRY(const campaign::Data data, store.load());
    std::error_code code;
    // One that is gone was moved or renamed.
    if (fs::exists(data.spec.file, code) && !fs::equivalent(data.spec.file, spec.file, code)) {
      return Error{ErrorKind::usage,
                   format("{} has a campaign already, of {}: choose another folder with --out",
                          folder.string(),
                          data.spec.file.string())};
    }
  }
  return store;
}

// How Slurm is asked to run the chunks of the campaign in `folder`.
campaign::SlurmConfig slurm_config(const fs::path& folder,
                                   const campaign::SlurmSettings& slurm,
                                   const run::Environment& environment,
                                   const Options& options)
{
  std::error_code code;
  campaign::SlurmConfig config;
  config.folder = fs::absolute(folder, code);
  config.worker = {fs::read_symlink("/proc/self/exe", code).string(),
                   "--root",
                   fs::absolute(environment.root, code).string(),
                   "campaign",
                   "work",
                   "--workers",
                   format("{}", slurm.cpus_per_task)};
  for (const auto& [flag, set] : {std::pair("--exact", options.exact),
                                  std::pair("--cold", options.cold),
                                  std::pair("--no-sandbox", options.no_sandbox)}) {
    if (set) {
      config.worker.emplace_back(flag);
    }
  }
  config.worker.insert(config.worker.end(), {"--campaign", config.folder.string(), "--chunk"});
  config.partition = slurm.partition;
  config.cpus_per_task = slurm.cpus_per_task;
  if (slurm.time_limit_minutes > 0) {
    config.time_limit = format("{}", slurm.time_limit_minutes);
  }
  config.array_size = slurm.array_size;
  config.at_once = options.at_once != 0 ? options.at_once : slurm.at_once;
  config.options = slurm.options;
  return config;
}

// Let Slurm run what is missing; this process only makes chunks, waits and merges.
Result<void> run_on_cluster(campaign::Store& store,
                            const run::Environment& environment,
                            const Options& options,
                            const campaign::SessionOptions& settings,
                            CampaignProgress& progress)
{
  // Tasks of an earlier leader that was killed: what they finished up to their end counts.
  campaign::cancel_leftovers(store.folder(), k_leftover_seconds);
  FL_CHECK(campaign::merge_chunks(store));
  FL_TRY(const campaign::Data data, store.load());
  using Missing = std::vector<std::pair<std::string, int>>;
  FL_TRY(const Missing missing, store.missing());
  if (missing.empty()) {
    return {};
  }
  {
    campaign::Engine engine(data.spec, environment, settings.engine);
    for (int repeat = missing.front().second; repeat <= missing.back().second; ++repeat) {
      FL_CHECK(campaign::reference_of(store, data, engine, settings.engine.mode, repeat));
    }
  }
  // Many tasks, so that losing one costs little, but each long enough to be worth starting.
  FL_TRY(const size_t chunks,
         campaign::write_chunks(store, std::clamp<size_t>(missing.size() / 64, 5, 50)));
  const campaign::SlurmConfig config =
      slurm_config(store.folder(), data.spec.slurm, environment, options);
  std::string trouble; // already reported
  Result<void> ran = campaign::run_on_slurm(
      config,
      chunks,
      [&](size_t chunk) { return campaign::chunk_is_done(config.folder, chunk); },
      [&](const campaign::SlurmProgress& slurm) {
        const Result<size_t> merged = campaign::merge_chunks(store);
        const Result<campaign::Data> now = store.load();
        if (!merged || !now) {
          return;
        }
        progress.show(campaign::standing_of(*now));
        if (!slurm.trouble.empty() && slurm.trouble != trouble) {
          progress.say(slurm.trouble);
        }
        trouble = slurm.trouble;
      });
  FL_CHECK(campaign::merge_chunks(store));
  FL_CHECK(ran);
  FL_TRY(const Missing left, store.missing());
  return left.empty() ? store.put_finished(utc_now()) : Result<void>();
}

Result<int> go_on(Session& session, campaign::Store& store, const Options& options)
{
  FL_TRY(const run::Environment* environment, session.environment());
  FL_TRY(const campaign::Data planned, store.load());
  {
    CampaignProgress progress;
    const campaign::SessionOptions settings = session_options(options, progress);
    const std::string executor =
        options.executor.empty() ? planned.spec.executor : options.executor;
    FL_CHECK(executor == "slurm" ? run_on_cluster(store, *environment, options, settings, progress)
                                 : campaign::run_missing(store, *environment, settings));
  }
  FL_TRY(const campaign::Data data, store.load());
  const campaign::Standing standing = campaign::standing_of(data);
  session.print(format("{} of {}: {}\n",
                       standing.finished,
                       count_of(standing.total, "run"),
                       print_symptoms(standing.symptoms)));
  const std::string folder = shell_word(store.folder().string());
  if (run::interrupted()) {
    std::cerr << format("faultline: interrupted; finished runs are kept, `faultline campaign "
                        "resume {}` continues\n",
                        folder);
    return k_exit_interrupted;
  }
  std::cerr << format("campaign: `faultline campaign report {}` prints the results\n", folder);
  return k_exit_ok;
}

Result<void> check_sandbox_for(const Options& options)
{
  return options.no_sandbox ? Result<void>() : run::check_sandbox();
}

// A mode of an earlier session counts for its campaign unless this one says otherwise.
void keep_mode(Options& options, const campaign::Data& data)
{
  const auto mode = data.settings.find("mode");
  if (mode != data.settings.end() && !options.exact && !options.cold) {
    options.exact = mode->second == "exact";
    options.cold = mode->second == "cold";
  }
}

Result<void> plan(campaign::Store& store,
                  const campaign::Spec& spec,
                  const run::Environment& environment,
                  const Options& options)
{
  CampaignProgress progress;
  return campaign::plan_campaign(store, spec, environment, session_options(options, progress));
}

Result<int> not_planned(Error error)
{
  if (run::interrupted()) {
    std::cerr << "faultline: interrupted while planning\n";
    return k_exit_interrupted;
  }
  return error;
}

Result<int> run_file(Session& session, Options& options)
{
  FL_TRY(campaign::Spec spec, campaign::load_spec(options.file));
  FL_CHECK(use_data(options, spec));
  if (!options.executor.empty()) {
    spec.executor = options.executor;
  }
  options.at_once = options.workers;
  if (options.workers == 0) {
    options.workers = spec.workers;
  }
  FL_CHECK(check_sandbox_for(options));
  FL_TRY(const fs::path all, campaigns_folder(session));
  const fs::path folder = options.out.empty() ? all / slug_of(spec.name) : fs::path(options.out);
  FL_TRY(const run::Environment* environment, session.environment());
  if (const std::optional<std::string> missing = environment->missing("pytorch")) {
    return Error{ErrorKind::machine, *missing};
  }
  const bool known = campaign::Store::exists(folder);
  FL_TRY(campaign::Store store, store_for(spec, folder));
  run::catch_interrupts();
  Result<void> planned = plan(store, spec, *environment, options);
  if (!planned) {
    if (!known) {
      std::error_code code; // nothing worth keeping
      fs::remove(folder / "campaign.sqlite", code);
      fs::remove(folder / "campaign.sqlite-wal", code);
      fs::remove(folder / "campaign.sqlite-shm", code);
      fs::remove(folder, code);
    }
    return not_planned(std::move(planned).error());
  }
  return go_on(session, store, options);
}

Result<int> resume(Session& session, Options& options)
{
  FL_CHECK(check_sandbox_for(options));
  FL_TRY(campaign::Store store, open_campaign(session, options.file));
  FL_TRY(const campaign::Data data, store.load());
  keep_mode(options, data);
  options.at_once = options.workers;
  if (options.workers == 0) {
    options.workers = data.spec.workers;
  }
  run::catch_interrupts();
  FL_TRY(const run::Environment* environment, session.environment());
  FL_TRY(const campaign::Spec spec, campaign::current_spec(data));
  FL_TRY(const std::optional<size_t> limit, campaign::planned_limit(store));
  options.limit = limit.value_or(0);
  if (Result<void> planned = plan(store, spec, *environment, options); !planned) {
    return not_planned(std::move(planned).error());
  }
  return go_on(session, store, options);
}

Result<int> work(Session& session, const Options& options)
{
  FL_CHECK(check_sandbox_for(options));
  FL_TRY(const run::Environment* environment, session.environment());
  run::catch_interrupts();
  CampaignProgress progress;
  campaign::SessionOptions settings = session_options(options, progress);
  settings.workers = std::max<size_t>(1, options.workers);
  FL_CHECK(campaign::work_chunk(options.file, options.chunk, *environment, settings));
  return run::interrupted() ? k_exit_interrupted : k_exit_ok;
}

void add_mode_options(Arguments& arguments, Options& options)
{
  const std::string group = "Running";
  Option exact =
      arguments
          .flag("--exact", options.exact, "run each variant from start to end, without shortcuts")
          .in_group(group);
  arguments.flag("--cold", options.cold, "start each variant in a process of its own")
      .excludes(exact)
      .in_group(group);
  arguments
      .flag("--no-sandbox",
            options.no_sandbox,
            "run without isolation, with limits only: you trust the program")
      .in_group(group);
  add_workers(arguments, options.workers).in_group(group);
}

void add_executor_option(Arguments& arguments, Options& options)
{
  arguments.option("--executor", options.executor, "local (this machine) or slurm")
      .one_of({"local", "slurm"})
      .named("WHERE")
      .in_group("Running");
}

} // namespace

Subcommand declare_campaign_run(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command(
      "run",
      "plan a campaign and run it, or continue it",
      "faultline campaign run programs/sentence_classifier/campaign.toml\n"
      "faultline campaign run campaign.toml --limit 50 --workers 2 --out /tmp/try\n"
      "faultline campaign run campaign.toml --data ~/reviews --exact");
  auto options = std::make_shared<Options>();
  sub.option("file", options->file, "the campaign file").required().named("FILE");
  sub.option("--out", options->out, "where to keep the campaign (.faultline/campaigns/NAME)")
      .named("FOLDER");
  sub.option("--data", options->data, "run the program on the data in this folder").named("FOLDER");
  sub.option("--limit", options->limit, "run only N variants, drawn at random")
      .within(1, 10'000'000)
      .named("N");
  add_mode_options(sub, *options);
  add_executor_option(sub, *options);
  return {sub, [options, &session] { return run_file(session, *options); }};
}

Subcommand declare_campaign_resume(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("resume",
                                    "continue a campaign; finished runs are not repeated",
                                    "faultline campaign resume sentence-classifier\n"
                                    "faultline campaign resume /tmp/try --workers 1");
  auto options = std::make_shared<Options>();
  add_campaign_folder(sub, options->file);
  add_mode_options(sub, *options);
  add_executor_option(sub, *options);
  return {sub, [options, &session] { return resume(session, *options); }};
}

Subcommand declare_campaign_work(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("work",
                                    "run one chunk of a campaign, as a Slurm task",
                                    "faultline campaign work --campaign FOLDER --chunk 3");
  sub.hide(); // not for users
  auto options = std::make_shared<Options>();
  sub.option("--campaign", options->file, "its folder").required().named("FOLDER");
  sub.option("--chunk", options->chunk, "which chunk of the plan").required().named("K");
  add_mode_options(sub, *options);
  return {sub, [options, &session] { return work(session, *options); }};
}

} // namespace faultline::cli
