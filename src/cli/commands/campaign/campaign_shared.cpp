#include "base/clock.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "cli/commands/campaign/campaign.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace faultline::cli {

namespace fs = std::filesystem;

constexpr double k_redraw_seconds = .1;
constexpr double k_rate_seconds = 120;
constexpr double k_line_seconds = 30; // between two lines if there is no terminal

Result<fs::path> campaigns_folder(const Session& session)
{
  FL_TRY(const fs::path home, session.home());
  return home / "campaigns";
}

Result<campaign::Store> open_campaign(const Session& session, const std::string& named)
{
  if (campaign::Store::exists(named)) {
    return campaign::Store::open(named);
  }
  FL_TRY(const fs::path all, campaigns_folder(session));
  if (campaign::Store::exists(all / named)) {
    return campaign::Store::open(all / named);
  }
  std::vector<std::string> names;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(all, code)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return Error{ErrorKind::not_found,
               format("there is no campaign in {}{}", named, did_you_mean(named, names))};
}

void add_campaign_folder(Arguments& arguments, std::string& folder)
{
  arguments.option("folder", folder, "the campaign: its folder or its name")
      .required()
      .named("FOLDER");
}

Option add_workers(Arguments& arguments, size_t& workers)
{
  return arguments.option("--workers", workers, "runs in parallel (number of cores)")
      .within(1, 1024)
      .named("N");
}

Result<const campaign::VariantRecord*> find_variant(const campaign::Data& data,
                                                    const std::string& id)
{
  std::vector<std::string> ids;
  for (const campaign::VariantRecord& record : data.variants) {
    if (record.variant.id == id) {
      return &record;
    }
    ids.push_back(record.variant.id);
  }
  return Error{ErrorKind::not_found,
               format("the campaign has no variant `{}`{}", id, did_you_mean(id, ids))};
}

std::string print_symptoms(const std::map<campaign::Symptom, size_t>& symptoms)
{
  std::string text;
  for (const campaign::Symptom symptom : campaign::all_symptoms()) {
    if (const auto found = symptoms.find(symptom); found != symptoms.end() && found->second > 0) {
      text += format("{}{} {}", text.empty() ? "" : ", ", found->second, name_of(symptom));
    }
  }
  return text;
}

CampaignProgress::CampaignProgress() : m_live(is_terminal(STDERR_FILENO)) {}

CampaignProgress::~CampaignProgress()
{
  if (m_drawn) {
    std::cerr << "\r\x1b[K" << std::flush;
  }
}

void CampaignProgress::say(std::string_view what)
{
  const std::lock_guard lock(m_mutex);
  if (m_live) {
    std::cerr << "\r\x1b[Kcampaign: " << what << " …" << std::flush;
    m_drawn = true;
  } else {
    std::cerr << "campaign: " << what << '\n';
  }
}

void CampaignProgress::tell(std::string_view what)
{
  const std::lock_guard lock(m_mutex);
  std::cerr << (m_live ? "\r\x1b[Kcampaign: " : "campaign: ") << what << '\n';
  m_drawn = false;
}

// Runs a second in the last minutes: many variants are decided at the very start without a run, so
// that the mean from the start says nothing about the rest.
double CampaignProgress::rate_at(double now, size_t finished)
{
  m_recent.emplace_back(now, finished);
  while (m_recent.size() > 2 && m_recent.front().first < now - k_rate_seconds) {
    m_recent.pop_front();
  }
  const auto& [then, before] = m_recent.front();
  return now > then && finished > before ? double(finished - before) / (now - then) : 0;
}

void CampaignProgress::show(const campaign::Standing& standing)
{
  const std::lock_guard lock(m_mutex);
  const double now = monotonic_seconds();
  const bool last = standing.finished >= standing.total;
  if (!last && now - m_last < (m_live ? k_redraw_seconds : k_line_seconds)) {
    return;
  }
  m_last = now;
  std::string line = format("campaign: {} of {}", standing.finished, standing.total);
  if (const double rate = rate_at(now, standing.finished); rate > 0) {
    line += format(", {:.0f} per minute", rate * 60);
    if (!last) {
      line +=
          format(", {} left", print_duration(double(standing.total - standing.finished) / rate));
    }
  }
  const std::string symptoms = print_symptoms(standing.symptoms);
  line += symptoms.empty() ? "" : ": " + symptoms;
  if (m_live) {
    const size_t width = terminal_width(STDERR_FILENO);
    if (line.size() >= width) { // counts and names are ASCII
      line.resize(width > 1 ? width - 1 : 0);
    }
    std::cerr << "\r\x1b[K" << line << std::flush;
    m_drawn = true;
  } else {
    std::cerr << line << '\n';
  }
}

} // namespace faultline::cli
