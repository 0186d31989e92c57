#pragma once

// What the subcommands of `faultline campaign` share.

#include "campaign/session.hpp"
#include "cli/command.hpp"

#include <deque>
#include <filesystem>
#include <mutex>
#include <string>

namespace faultline::cli {

Subcommand declare_campaign_run(Arguments& arguments, Session& session);
Subcommand declare_campaign_resume(Arguments& arguments, Session& session);
Subcommand declare_campaign_work(Arguments& arguments, Session& session);
Subcommand declare_campaign_list(Arguments& arguments, Session& session);
Subcommand declare_campaign_status(Arguments& arguments, Session& session);
Subcommand declare_campaign_report(Arguments& arguments, Session& session);
Subcommand declare_campaign_export(Arguments& arguments, Session& session);
Subcommand declare_campaign_log(Arguments& arguments, Session& session);
Subcommand declare_campaign_diff(Arguments& arguments, Session& session);
Subcommand declare_campaign_recheck(Arguments& arguments, Session& session);
Subcommand declare_campaign_weakest(Arguments& arguments, Session& session);

// FOLDER as a user names a campaign: a folder, or the name of one in the store's campaigns/.
Result<campaign::Store> open_campaign(const Session& session, const std::string& named);
Result<std::filesystem::path> campaigns_folder(const Session& session);

// Arguments of several subcommands: FOLDER, --workers N.
void add_campaign_folder(Arguments& arguments, std::string& folder);
Option add_workers(Arguments& arguments, size_t& workers);

Result<const campaign::VariantRecord*> find_variant(const campaign::Data& data,
                                                    const std::string& id);

// "412 normal, 120 crash, 3 hang"
std::string print_symptoms(const std::map<campaign::Symptom, size_t>& symptoms);

// One line that is redrawn on a terminal; otherwise a new line now and then.
class CampaignProgress {
public:
  CampaignProgress();
  ~CampaignProgress();
  CampaignProgress(const CampaignProgress&) = delete;
  CampaignProgress& operator=(const CampaignProgress&) = delete;

  void say(std::string_view what);
  void tell(std::string_view what); // a line that stays
  void show(const campaign::Standing& standing);

private:
  double rate_at(double now, size_t finished);

  std::mutex m_mutex;
  bool m_live;
  bool m_drawn = false;
  double m_last = -1e9;
  std::deque<std::pair<double, size_t>> m_recent; // time, and number of finished runs
};

} // namespace faultline::cli
