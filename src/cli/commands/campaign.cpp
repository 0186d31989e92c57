#include "cli/commands/campaign/campaign.hpp"

namespace faultline::cli {

Action declare_campaign(Arguments& arguments, Session& session)
{
  arguments.require_command();
  std::vector<Subcommand> commands;
  for (const auto declare : {declare_campaign_run,
                             declare_campaign_resume,
                             declare_campaign_list,
                             declare_campaign_status,
                             declare_campaign_report,
                             declare_campaign_export,
                             declare_campaign_log,
                             declare_campaign_diff,
                             declare_campaign_recheck,
                             declare_campaign_weakest,
                             declare_campaign_work}) {
    commands.push_back(declare(arguments, session));
  }
  return action_of("campaign", std::move(commands));
}

} // namespace faultline::cli
