#pragma once

// What the subcommands of `faultline campaign` share.

#include "campaign/session.hpp"
#include "cli/command.hpp"

#include <deque>
#include <filesystem>
#include <mutex>
#include <string>

namespace faultline::cli {

// Each declares one subcommand of `app` and gives what it does.
struct CampaignCommand {
  CLI::App* app;
  Action action;
};

CampaignCommand declare_campaign_run(CLI::App& app, Session& session);
CampaignCommand declare_campaign_resume(CLI::App& app, Session& session);
CampaignCommand declare_campaign_work(CLI::App& app, Session& session);
CampaignCommand declare_campaign_status(CLI::App& app, Session& session);
CampaignCommand declare_campaign_report(CLI::App& app, Session& session);
CampaignCommand declare_campaign_export(CLI::App& app, Session& session);
CampaignCommand declare_campaign_log(CLI::App& app, Session& session);
CampaignCommand declare_campaign_diff(CLI::App& app, Session& session);
CampaignCommand declare_campaign_recheck(CLI::App& app, Session& session);
CampaignCommand declare_campaign_weakest(CLI::App& app, Session& session);

CLI::App* add_campaign_command(CLI::App& app,
                               std::string name,
                               std::string summary,
                               std::string_view example);

// FOLDER as a user names a campaign: a folder, or the name of one in the store's campaigns/.
Result<campaign::Store> open_campaign(const Session& session, const std::string& named);
Result<std::filesystem::path> campaigns_folder(const Session& session);

Result<const campaign::VariantRecord*> find_variant(const campaign::Data& data,
                                                    const std::string& id);

// "412 normal, 120 crash, 3 hang"
std::string print_symptoms(const std::map<campaign::Symptom, size_t>& symptoms);

// One line that is drawn again and again on a terminal; elsewhere a line now and then.
class CampaignProgress {
public:
  CampaignProgress();
  ~CampaignProgress();
  CampaignProgress(const CampaignProgress&) = delete;
  CampaignProgress& operator=(const CampaignProgress&) = delete;

  void say(std::string_view what);
  void show(const campaign::Standing& standing);

private:
  double rate_at(double now, size_t finished);

  std::mutex m_mutex;
  bool m_live;
  bool m_drawn = false;
  double m_last = -1e9;
  std::deque<std::pair<double, size_t>> m_recent; // when, and how many were finished
};

} // namespace faultline::cli
