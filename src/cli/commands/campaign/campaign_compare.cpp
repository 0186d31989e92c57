// `campaign recheck` and `campaign weakest`: what is run again and again to be compared.

#include "base/format.hpp"
#include "base/text.hpp"
#include "campaign/recheck.hpp"
#include "campaign/weakest.hpp"
#include "cli/commands/campaign/campaign.hpp"
#include "inject/selection.hpp"
#include "report/text_table.hpp"
#include "run/interrupt.hpp"

#include <algorithm>
#include <set>

namespace faultline::cli {

namespace {

struct RecheckOptions {
  std::string folder;
  std::string variant;
  size_t sample = 100;
  uint64_t seed = 1;
  size_t workers = 0;
  bool json = false;
};

Json recheck_json(const std::vector<campaign::Rechecked>& all)
{
  Json json = Json::array();
  for (const campaign::Rechecked& each : all) {
    json.push_back({{"variant", each.variant},
                    {"start", name_of(each.kept.start)},
                    {"decision", name_of(each.kept.decision)},
                    {"symptom", name_of(each.kept.symptom)},
                    {"symptom_from_nothing", name_of(each.from_nothing.symptom)},
                    {"same_symptom", each.same_symptom},
                    {"same_metrics", each.same_metrics},
                    {"repeats_itself", each.repeats_itself}});
  }
  return json;
}

std::string print_crash(const campaign::Run& run)
{
  return run.crash ? format("{} at {}:{}", run.crash->exception, run.crash->file, run.crash->line)
                   : "–";
}

// One variant as the campaign has it and from nothing, side by side; a mark where they differ.
std::string print_both(const Session& session, const campaign::Rechecked& each)
{
  report::TextTable table({{each.variant}, {"CAMPAIGN"}, {"FROM NOTHING"}, {""}});
  const auto add = [&table](const std::string& what, const std::string& a, const std::string& b) {
    table.add({what, a, b, a == b ? "" : "differs"});
  };
  const campaign::Run& kept = each.kept;
  const campaign::Run& again = each.from_nothing;
  add("symptom", std::string(name_of(kept.symptom)), std::string(name_of(again.symptom)));
  std::set<std::string> metrics;
  for (const campaign::Run* run : {&kept, &again}) {
    for (const auto& [name, value] : run->metrics) {
      metrics.insert(name);
    }
  }
  const auto shown = [](const campaign::Run& run, const std::string& name) {
    const auto found = run.metrics.find(name);
    return found == run.metrics.end() ? std::string("–") : format("{}", found->second);
  };
  for (const std::string& name : metrics) {
    add(name, shown(kept, name), shown(again, name));
  }
  add("crash", print_crash(kept), print_crash(again));
  // How long it took is the machine's as much as the variant's.
  table.add(
      {"CPU seconds", format("{:.2f}", kept.cpu_seconds), format("{:.2f}", again.cpu_seconds), ""});
  table.add({"started", std::string(name_of(kept.start)), std::string(name_of(again.start)), ""});
  table.add(
      {"known by", std::string(name_of(kept.decision)), std::string(name_of(again.decision)), ""});
  std::string text = table.print(session.out(), session.width());
  return text + (!each.repeats_itself ? "\nIt comes out differently each time, however it is run.\n"
                 : each.differs()     ? "\nThe campaign has something else.\n"
                                      : "\nThe same symptom and metrics.\n");
}

Result<int> recheck(Session& session, const RecheckOptions& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(const run::Environment* environment, session.environment());
  if (!options.variant.empty()) {
    FL_TRY(const campaign::Data data, store.load());
    FL_CHECK(find_variant(data, options.variant));
  }
  run::catch_interrupts();
  std::vector<campaign::Rechecked> all;
  {
    CampaignProgress progress;
    campaign::SessionOptions settings;
    settings.workers = options.workers;
    settings.on_progress = [&progress](const campaign::Standing& s) { progress.show(s); };
    FL_TRY(all,
           campaign::recheck(
               store, *environment, settings, {options.variant, options.sample, options.seed}));
  }
  const auto different =
      static_cast<size_t>(std::ranges::count_if(all, &campaign::Rechecked::differs));
  const auto unstable =
      static_cast<size_t>(std::ranges::count(all, false, &campaign::Rechecked::repeats_itself));
  if (options.json) {
    session.print_json(recheck_json(all));
  } else if (!options.variant.empty() && all.size() == 1) {
    session.print(print_both(session, all.front()));
  } else {
    for (const campaign::Rechecked& each : all) {
      if (each.differs() || !each.repeats_itself) {
        session.print(format("{}: {} ({}, {}), from scratch {}{}{}\n",
                             each.variant,
                             name_of(each.kept.symptom),
                             name_of(each.kept.start),
                             name_of(each.kept.decision),
                             name_of(each.from_nothing.symptom),
                             each.same_metrics ? "" : ", different metrics",
                             each.repeats_itself ? "" : ", and different again the next time"));
      }
    }
    session.print(format("{} of {} rerun from scratch have the same symptom and metrics.\n",
                         all.size() - different - unstable,
                         count_of(all.size(), "variant")));
    if (unstable > 0) {
      session.print(
          format("{} from one run to the next, however it is run.\n",
                 count_of(unstable, "variant") + (unstable == 1 ? " differs" : " differ")));
    }
  }
  return run::interrupted() ? k_exit_interrupted : different > 0 ? k_exit_found : k_exit_ok;
}

struct WeakestCommand {
  std::string file;
  std::string op;
  int repeats = 10;
  size_t workers = 0;
  bool json = false;
};

Json weakest_json(const std::vector<campaign::Weakest>& all)
{
  Json json = Json::array();
  for (const campaign::Weakest& each : all) {
    Json trials = Json::array();
    for (const campaign::Trial& trial : each.trials) {
      trials.push_back({{"setting", trial.setting},
                        {"values", trial.values},
                        {"failed", trial.failed},
                        {"p", trial.p},
                        {"effect", trial.effect},
                        {"noticed", trial.noticed}});
    }
    json.push_back({{"file", each.file},
                    {"line", each.line},
                    {"weakest", each.setting ? Json(*each.setting) : Json()},
                    {"trials", std::move(trials)}});
  }
  return json;
}

Result<int> weakest(Session& session, const WeakestCommand& options)
{
  FL_TRY(const campaign::Spec spec, campaign::load_spec(options.file));
  FL_TRY(const std::vector<const inject::Operator*> chosen, inject::select_operators({options.op}));
  if (chosen.size() != 1) {
    return Error{ErrorKind::usage,
                 format("`{}` is more than one operator: name just one", options.op)};
  }
  FL_TRY(const run::Environment* environment, session.environment());
  run::catch_interrupts();
  std::vector<campaign::Weakest> all;
  {
    CampaignProgress progress;
    campaign::WeakestOptions settings;
    settings.op = chosen.front();
    settings.repeats = options.repeats;
    settings.workers = options.workers;
    settings.say = [&progress](std::string_view what) { progress.say(what); };
    FL_TRY(all, campaign::find_weakest(spec, *environment, settings));
  }
  if (options.json) {
    session.print_json(weakest_json(all));
    return k_exit_ok;
  }
  for (const campaign::Weakest& each : all) {
    session.print(format("{}:{} {}\n", each.file, each.line, chosen.front()->name));
    report::TextTable table({{"SETTING"},
                             {"RUNS", report::Align::right},
                             {"FAILED", report::Align::right},
                             {"P", report::Align::right},
                             {"COHEN'S D", report::Align::right},
                             {"NOTICED"}});
    for (const campaign::Trial& trial : each.trials) {
      table.add({trial.setting,
                 format("{}", trial.values.size() + static_cast<size_t>(trial.failed)),
                 format("{}", trial.failed),
                 format("{:.3g}", trial.p),
                 format("{:.2f}", trial.effect),
                 trial.noticed ? "yes" : "no"});
    }
    session.print(table.print(session.out(), session.width()));
    session.print(each.setting
                      ? format("The weakest setting with a noticeable effect: {} = {}.\n\n",
                               chosen.front()->setting.name,
                               *each.setting)
                      : std::string("No setting has a noticeable effect.\n\n"));
  }
  return run::interrupted() ? k_exit_interrupted : k_exit_ok;
}

} // namespace

Subcommand declare_campaign_recheck(Arguments& arguments, Session& session)
{
  Arguments sub =
      arguments.command("recheck",
                        "rerun one variant or a random sample from scratch and compare",
                        "faultline campaign recheck sentence-classifier --sample 100\n"
                        "faultline campaign recheck sentence-classifier MU003-1f6c2a90");
  auto options = std::make_shared<RecheckOptions>();
  sub.option("folder", options->folder, "the campaign").required().named("FOLDER");
  sub.option("variant", options->variant, "only this one, side by side").named("VARIANT");
  sub.option("--sample", options->sample, "number of variants (100)")
      .within(1, 1'000'000)
      .named("N");
  sub.option("--seed", options->seed, "seed of the sample (1)").named("N");
  add_workers(sub, options->workers);
  sub.flag("--json", options->json, "print JSON");
  return {sub, [options, &session] { return recheck(session, *options); }};
}

Subcommand declare_campaign_weakest(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command(
      "weakest",
      "find the weakest setting of an operator with a noticeable effect",
      "faultline campaign weakest programs/sentence_classifier/campaign.toml --operator TCL\n"
      "faultline campaign weakest campaign.toml --operator HLR --repeats 20 --json");
  auto options = std::make_shared<WeakestCommand>();
  sub.option("file", options->file, "the campaign file").required().named("FILE");
  sub.option("--operator", options->op, "the operator: code, name or acronym")
      .required()
      .named("OPERATOR");
  sub.option("--repeats", options->repeats, "runs of the clean program and of each setting (10)")
      .within(2, 1000)
      .named("N");
  add_workers(sub, options->workers);
  sub.flag("--json", options->json, "print JSON");
  return {sub, [options, &session] { return weakest(session, *options); }};
}

} // namespace faultline::cli
