#pragma once

#include "campaign/store.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/score.hpp"
#include "run/installation.hpp"
#include "serve/cached.hpp"
#include "serve/context.hpp"
#include "study/campaign_analysis.hpp"

#include <memory>
#include <string>
#include <thread>

namespace faultline::serve {

// All tools on some faults, from what is stored.
struct Board {
  std::unique_ptr<const evaluate::Toolbox> box; // which the evaluation points to
  evaluate::Evaluation evaluation;
  evaluate::Scoreboard scores;
  std::string subjects; // what was evaluated, in words
};

// A campaign's store and what follows from it.
struct CampaignKnowledge {
  study::CampaignAnalysis analysis;
  std::map<std::string, size_t> variants; // id → index in analysis.data.variants
  std::map<size_t, size_t> outcomes;      // index of the variant → index in analysis.outcomes
  std::map<std::string, std::vector<size_t>> runs; // id of the variant → indices in data.runs
};

// The content of the stores, read without running anything. What takes more than a moment to read
// is cached until something that it depends on has changed. Safe to use from several threads.
class Knowledge {
public:
  // `context` outlives this. Its queue need not be there yet.
  static Result<std::unique_ptr<Knowledge>> open(const Context& context);

  ~Knowledge();
  Knowledge(const Knowledge&) = delete;
  Knowledge& operator=(const Knowledge&) = delete;

  // Compute the most expensive values on a thread of its own, before anyone waits for them: the
  // versions of tools, and the verdicts on their stored runs.
  void warm_up();

  // Fails with not_found, and the nearest name, if there is none.
  Result<catalog::Fault> fault(const std::string& id) const;

  // The tools of the project; the ones asked for if there are names.
  Result<evaluate::Toolbox> tools(const std::vector<std::string>& names = {}) const;
  // The version from the last query; a tool that was never queried is queried now.
  std::string version_of(const evaluate::Tool& tool);

  // Changes with everything that stored evaluations depend on.
  Result<std::string> evaluation_version();
  // All tools on one fault, or on all active ones of a split (empty: of both).
  Result<Board> judge(std::vector<evaluate::Subject> subjects, std::string words);
  Result<std::shared_ptr<const Board>> board(const std::string& split,
                                             Freshness freshness = Freshness::old_will_do);

  // Folders of home/campaigns, sorted.
  std::vector<std::string> campaigns() const;
  // An error if there is no such campaign.
  Result<std::filesystem::path> campaign_folder(const std::string& name) const;
  // Changes when the campaign's store does.
  static std::string campaign_version(const std::filesystem::path& folder);
  Result<std::shared_ptr<const campaign::Overview>> campaign_overview(const std::string& name);
  Result<std::shared_ptr<const CampaignKnowledge>>
  campaign(const std::string& name, Freshness freshness = Freshness::old_will_do);

  // Whole answers, by what was asked.
  Result<std::shared_ptr<const std::string>> answer(const std::string& what,
                                                    const std::string& version,
                                                    const Cached<std::string>::Make& make);
  // One that depends only on what evaluations depend on.
  Result<std::shared_ptr<const std::string>>
  evaluation_answer(const std::string& what, const Cached<std::string>::Make& make);

  evaluate::RunStore& tool_runs() { return m_tool_runs; }
  evaluate::ToolIdentities& identities() { return m_identities; }
  run::Compiler& compiler() { return m_compiler; }
  evaluate::OwnTools own() const { return {m_context.binary, run::installation().data}; }

private:
  Knowledge(const Context& context, evaluate::RunStore tool_runs, Database watched);

  const Context& m_context;
  evaluate::RunStore m_tool_runs;
  evaluate::ToolIdentities m_identities;
  run::Compiler m_compiler;

  std::mutex m_mutex; // of what follows
  Database m_watched; // only to notice writes by others to the store
  long long m_seen = -1;
  std::string m_stamp;

  std::string detectors_stamp();
  std::mutex m_looking; // of what follows
  std::string m_detectors;
  double m_next_look = 0;

  CachedByKey<Board> m_boards;
  CachedByKey<campaign::Overview> m_overviews;
  CachedByKey<CampaignKnowledge> m_campaigns;
  CachedByKey<std::string> m_answers;
  std::thread m_warming;
};

} // namespace faultline::serve
