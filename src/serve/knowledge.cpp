#include "serve/knowledge.hpp"

#include "base/clock.hpp"
#include "base/digest.hpp"
#include "base/format.hpp"
#include "base/text.hpp"
#include "rules/rule.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace faultline::serve {

namespace fs = std::filesystem;

namespace {

// With more faults than this, only those count that some tool was run on: reading the others would
// take long and show nothing.
constexpr size_t k_most_subjects = 5000;

constexpr size_t k_kept_campaigns = 8;
constexpr size_t k_kept_answers = 512;

// Size and times of a file; the same as long as nobody wrote to it or put another in its place. An
// empty one is none: SQLite makes such a log whenever somebody looks into a database.
std::string stamp_of(const fs::path& file)
{
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0 || status.st_size == 0) {
    return "-";
  }
  return format("{} {} {}.{:09} {}.{:09}",
                status.st_ino,
                status.st_size,
                status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec,
                status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec);
}

std::string tools_stamp(const fs::path& folder)
{
  std::vector<std::string> stamps;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == ".toml") {
      stamps.push_back(entry.path().filename().string() + " " + stamp_of(entry.path()));
    }
  }
  std::ranges::sort(stamps);
  return join(stamps, "\n");
}

} // namespace

Result<std::unique_ptr<Knowledge>> Knowledge::open(const Context& context)
{
  const fs::path path = context.home / "store.sqlite";
  FL_TRY(evaluate::RunStore tool_runs, evaluate::RunStore::open(path));
  FL_TRY(Database watched, Database::open(path));
  return std::unique_ptr<Knowledge>(
      new Knowledge(context, std::move(tool_runs), std::move(watched)));
}

Knowledge::Knowledge(const Context& context, evaluate::RunStore tool_runs, Database watched)
    : m_context(context), m_tool_runs(std::move(tool_runs)),
      m_compiler(context.environments->machine(), context.home, context.runner.isolation),
      m_watched(std::move(watched)), m_boards(4), m_overviews(64), m_campaigns(k_kept_campaigns),
      m_answers(k_kept_answers)
{
}

Knowledge::~Knowledge()
{
  if (m_warming.joinable()) {
    m_warming.join();
  }
}

void Knowledge::warm_up()
{
  m_warming = std::thread([this] {
    const Result<std::shared_ptr<const Board>> made = board("");
    static_cast<void>(made); // callers that need it get the error
  });
}

Result<catalog::Fault> Knowledge::fault(const std::string& id) const
{
  FL_TRY(const std::optional<fs::path> folder, m_context.entries->folder_of(id));
  if (!folder) {
    FL_TRY(const std::string hint, m_context.entries->did_you_mean(id));
    return Error{ErrorKind::not_found, format("unknown fault `{}`{}", id, hint)};
  }
  return catalog::load_fault(*folder, *m_context.schemes);
}

Result<evaluate::Toolbox> Knowledge::tools(const std::vector<std::string>& names) const
{
  return evaluate::load_tools(m_context.tools, names, *m_context.schemes);
}

std::string Knowledge::version_of(const evaluate::Tool& tool)
{
  const run::Environment& environment = m_context.environments->get(tool.environment);
  if (!m_context.cannot_run.empty() || evaluate::missing(tool, environment)) {
    return {};
  }
  return m_identities
      .of(tool, environment, own(), m_context.runner, evaluate::ToolIdentities::Ask::once)
      .version;
}

// Of the files of all detectors, which may change while the server runs. Looking at each of them
// takes long where there are many, so one look does for a moment.
std::string Knowledge::detectors_stamp()
{
  const std::lock_guard lock(m_looking);
  if (const double now = monotonic_seconds(); m_detectors.empty() || now >= m_next_look) {
    const Result<evaluate::Toolbox> box = tools();
    Digest digest;
    for (const evaluate::Tool& tool : box ? box->tools : std::vector<evaluate::Tool>()) {
      digest.add(tool.name).add(
          m_identities.files_digest(tool, m_context.environments->get(tool.environment), own()));
    }
    m_detectors = digest.hex();
    m_next_look = monotonic_seconds() + std::max(1.0, 20 * (monotonic_seconds() - now));
  }
  return m_detectors;
}

Result<std::string> Knowledge::evaluation_version()
{
  std::string stamp;
  {
    const std::lock_guard lock(m_mutex);
    FL_TRY(const long long seen, m_watched.data_version());
    if (seen != m_seen) {
      FL_TRY(m_stamp, m_tool_runs.stamp());
      m_seen = seen;
    }
    stamp = m_stamp;
  }
  return format("{}\n{}\n{}\n{}",
                m_context.entries->version(),
                stamp,
                tools_stamp(m_context.tools),
                detectors_stamp());
}

Result<Board> Knowledge::judge(std::vector<evaluate::Subject> subjects, std::string words)
{
  FL_TRY(evaluate::Toolbox box, tools());
  Board board;
  board.subjects = std::move(words);
  board.box = std::make_unique<const evaluate::Toolbox>(std::move(box));
  evaluate::EvaluatorConfig config;
  config.only_stored = true;
  config.runner = m_context.runner;
  config.own = own();
  config.identities = &m_identities;
  evaluate::Evaluator evaluator(*m_context.environments, m_tool_runs, m_compiler, config);
  board.evaluation = evaluator.evaluate(
      *board.box, std::move(subjects), [](size_t) {}, [](const evaluate::FinishedToolRun&) {});
  return board;
}

Result<std::shared_ptr<const Board>> Knowledge::board(const std::string& split, Freshness freshness)
{
  FL_TRY(const std::string version, evaluation_version());
  return m_boards.get(split, version, freshness, [&]() -> Result<Board> {
    catalog::EntryQuery query;
    query.filters["status"] = {"active"};
    if (!split.empty()) {
      query.filters["split"] = {split};
    }
    FL_TRY(std::vector<std::string> ids, m_context.entries->ids(query));
    std::string words = split.empty() ? "the faultload" : "the " + split + " split";
    if (ids.size() > k_most_subjects) {
      FL_TRY(const std::set<std::string> known, m_tool_runs.subjects());
      std::erase_if(ids, [&known](const std::string& id) { return !known.contains(id); });
      words = format("the {} of {} that a tool was run on", count_of(ids.size(), "fault"), words);
    }
    std::vector<evaluate::Subject> subjects;
    for (const std::string& id : ids) {
      // A fault that has become unreadable is skipped.
      const Result<catalog::Fault> loaded = fault(id);
      Result<evaluate::Subject> subject =
          loaded ? evaluate::subject_of(*loaded) : Result<evaluate::Subject>(loaded.error());
      if (subject) {
        subjects.push_back(*std::move(subject));
      }
    }
    FL_TRY(Board made, judge(std::move(subjects), std::move(words)));
    made.scores = evaluate::score(made.evaluation);
    return made;
  });
}

std::vector<std::string> Knowledge::campaigns() const
{
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(m_context.home / "campaigns", code), end; !code && at != end;
       at.increment(code)) {
    if (campaign::Store::exists(at->path())) {
      names.push_back(at->path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

Result<fs::path> Knowledge::campaign_folder(const std::string& name) const
{
  // Only an existing name: text from a request never becomes a path by itself.
  const std::vector<std::string> names = campaigns();
  if (!std::ranges::binary_search(names, name)) {
    return Error{ErrorKind::not_found,
                 format("there is no campaign `{}`{}", name, did_you_mean(name, names))};
  }
  return m_context.home / "campaigns" / name;
}

std::string Knowledge::campaign_version(const fs::path& folder)
{
  return stamp_of(folder / "campaign.sqlite") + " " + stamp_of(folder / "campaign.sqlite-wal");
}

Result<std::shared_ptr<const campaign::Overview>>
Knowledge::campaign_overview(const std::string& name)
{
  FL_TRY(const fs::path folder, campaign_folder(name));
  return m_overviews.get(
      name, campaign_version(folder), Freshness::old_will_do, [&]() -> Result<campaign::Overview> {
        FL_TRY(campaign::Store store, campaign::Store::open(folder));
        return store.overview();
      });
}

Result<std::shared_ptr<const CampaignKnowledge>> Knowledge::campaign(const std::string& name,
                                                                     Freshness freshness)
{
  FL_TRY(const fs::path folder, campaign_folder(name));
  const auto make = [&]() -> Result<CampaignKnowledge> {
    FL_TRY(campaign::Store store, campaign::Store::open(folder));
    FL_TRY(campaign::Data data, store.load());
    CampaignKnowledge known;
    known.analysis = study::analyse_campaign(std::move(data));
    const study::CampaignAnalysis& analysis = known.analysis;
    for (size_t i = 0; i < analysis.data.variants.size(); ++i) {
      known.variants[analysis.data.variants[i].variant.id] = i;
    }
    for (size_t i = 0; i < analysis.outcomes.size(); ++i) {
      known.outcomes[analysis.outcomes[i].variant] = i;
    }
    for (size_t i = 0; i < analysis.data.runs.size(); ++i) {
      known.runs[analysis.data.runs[i].variant].push_back(i);
    }
    return known;
  };
  return m_campaigns.get(name, campaign_version(folder), freshness, make);
}

Result<std::shared_ptr<const std::string>> Knowledge::answer(const std::string& what,
                                                             const std::string& version,
                                                             const Cached<std::string>::Make& make)
{
  return m_answers.get(what, version, Freshness::old_will_do, make);
}

Result<std::shared_ptr<const std::string>>
Knowledge::evaluation_answer(const std::string& what, const Cached<std::string>::Make& make)
{
  FL_TRY(const std::string version, evaluation_version());
  return answer(what, version, make);
}

} // namespace faultline::serve
