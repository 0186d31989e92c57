#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/commands/campaign/campaign.hpp"
#include "report/campaign_report.hpp"
#include "report/diff_text.hpp"
#include "rules/rule.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string folder;
  std::string variant;
  int repeat = 0;
  bool json = false;
};

Result<int> status(Session& session, const Options& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(campaign::Data data, store.load());
  const campaign::Standing standing = campaign::standing_of(data);
  if (options.json) {
    Json json = report::campaign_json(study::analyse_campaign(std::move(data)));
    json.erase("figures"); // of a report
    json["total_runs"] = standing.total;
    json["finished_runs"] = standing.finished;
    session.print_json(json);
    return k_exit_ok;
  }
  std::string text = format("{}\n", data.spec.name);
  text += format("  folder    {}\n", store.folder().string());
  text += format("  started   {}\n", data.started);
  text += format("  finished  {}\n", data.finished.empty() ? "not yet" : data.finished);
  text += format("  variants  {}\n", data.variants.size());
  text += format("  clean     {}\n", count_of(data.clean.size(), "run"));
  text += format("  runs      {} of {}\n", standing.finished, standing.total);
  const std::string symptoms = print_symptoms(standing.symptoms);
  text += symptoms.empty() ? "" : format("  symptoms  {}\n", symptoms);
  session.print(text);
  return k_exit_ok;
}

Result<int> log(Session& session, const Options& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(const campaign::Data data, store.load());
  std::string id;
  if (options.variant != "clean") {
    FL_TRY(const campaign::VariantRecord* record, find_variant(data, options.variant));
    id = record->variant.id;
  }
  FL_TRY(const std::optional<std::string> text, store.log(id, options.repeat));
  if (!text) {
    return Error{ErrorKind::not_found,
                 format("{} was not run{} yet",
                        options.variant,
                        options.repeat > 0 ? format(" for repeat {}", options.repeat) : "")};
  }
  session.print(*text);
  return k_exit_ok;
}

Result<int> diff(Session& session, const Options& options)
{
  FL_TRY(campaign::Store store, open_campaign(session, options.folder));
  FL_TRY(const campaign::Data data, store.load());
  FL_TRY(const campaign::VariantRecord* record, find_variant(data, options.variant));
  FL_TRY(const std::string text, campaign::diff_of(store, record->variant));
  session.print(report::paint_diff(text, session.out()));
  return k_exit_ok;
}

std::shared_ptr<Options> add_folder(Arguments& arguments)
{
  auto options = std::make_shared<Options>();
  add_campaign_folder(arguments, options->folder);
  return options;
}

} // namespace

Subcommand declare_campaign_status(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("status",
                                    "print the progress of a campaign",
                                    "faultline campaign status sentence-classifier\n"
                                    "faultline campaign status /tmp/try --json");
  auto options = add_folder(sub);
  sub.flag("--json", options->json, "print JSON");
  return {sub, [options, &session] { return status(session, *options); }};
}

Subcommand declare_campaign_log(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("log",
                                    "print the log of a run",
                                    "faultline campaign log sentence-classifier MU003-1f6c2a90\n"
                                    "faultline campaign log sentence-classifier clean");
  auto options = add_folder(sub);
  sub.option("variant", options->variant, "the variant, or `clean`").required().named("VARIANT");
  sub.option("--repeat", options->repeat, "which repeat (0)").named("N");
  return {sub, [options, &session] { return log(session, *options); }};
}

Subcommand declare_campaign_diff(Arguments& arguments, Session& session)
{
  Arguments sub = arguments.command("diff",
                                    "print what a variant changes",
                                    "faultline campaign diff sentence-classifier MU003-1f6c2a90");
  auto options = add_folder(sub);
  sub.option("variant", options->variant, "the variant").required().named("VARIANT");
  return {sub, [options, &session] { return diff(session, *options); }};
}

} // namespace faultline::cli
