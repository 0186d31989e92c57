#include "base/format.hpp"
#include "catalog/similarity.hpp"
#include "proof/committed.hpp"
#include "proof/prover.hpp"
#include "serve/api/handlers.hpp"
#include "serve/knowledge.hpp"
#include "serve/parameters.hpp"
#include "serve/tool_json.hpp"

#include <algorithm>

namespace faultline::serve {

// At most this many fixes are compared. A smaller catalogue is compared completely, as by
// `faultline similar`; in a larger one, those with most labels in common.
constexpr size_t k_most_compared = 200;
constexpr size_t k_most_similar = 10;

static Reply unknown_fault(const Context& context, const std::string& id)
{
  const Result<std::string> guess = context.entries->did_you_mean(id);
  return error_reply(404, format("unknown fault `{}`{}", id.substr(0, 100), guess ? *guess : ""));
}

// The fault that the path names, read from its folder.
static Result<std::optional<catalog::Fault>> load(const Context& context, const std::string& id)
{
  FL_TRY(const std::optional<std::filesystem::path> folder, context.entries->folder_of(id));
  if (!folder) {
    return std::optional<catalog::Fault>();
  }
  FL_TRY(catalog::Fault fault, catalog::load_fault(*folder, *context.schemes));
  return std::optional(std::move(fault));
}

Reply get_fault(Context& context, const Request& request)
{
  if (const Result<void> right = Parameters(request).finish(); !right) {
    return error_reply(right.error());
  }
  const std::string& id = request.captures.front();
  Result<std::optional<std::string>> detail = context.entries->detail(id);
  if (!detail) {
    return error_reply(detail.error());
  }
  if (!*detail) {
    return unknown_fault(context, id);
  }
  Reply reply;
  reply.zipped = **std::move(detail);
  return reply;
}

static Json record_json(const std::optional<proof::ProofRecord>& record)
{
  if (!record) {
    return nullptr;
  }
  return {{"times", record->times},
          {"last", record->last},
          {"proved", record->proved},
          {"runs", record->runs},
          {"seeds", record->seeds},
          {"versions", record->versions},
          {"reason", record->reason}};
}

static Json committed_json(const proof::CommittedProof* proof)
{
  return proof == nullptr ? Json()
                          : Json{{"date", proof->date},
                                 {"runs", proof->runs},
                                 {"seeds", proof->seeds},
                                 {"versions", proof->versions}};
}

static Json run_json(const proof::FinishedRun& run, const std::string& when)
{
  Json json = {{"purpose", proof::name_of(run.planned.purpose)},
               {"seed", run.planned.seed},
               {"which", run.planned.which},
               {"environment", run.planned.environment},
               {"verdict", proof::name_of(run.judgement.verdict)},
               {"why", run.judgement.why},
               {"wall_seconds", run.outcome.wall_seconds},
               {"cpu_seconds", run.outcome.cpu_seconds},
               {"peak_memory_kib", run.outcome.peak_memory_kib},
               {"when", when}};
  if (run.judgement.metric) {
    json["metric"] = *run.judgement.metric;
  }
  return json;
}

// The samples of the first environment: those of another are not to be mixed in.
static Json statistical_json(const catalog::Fault& fault,
                             const std::string& environment,
                             const std::vector<proof::FinishedRun>& runs)
{
  if (!fault.oracle.statistical) {
    return nullptr;
  }
  const catalog::StatisticalOracle& oracle = *fault.oracle.statistical;
  const auto sample = [&](proof::Purpose purpose) {
    Json values = Json::array();
    for (const proof::FinishedRun& run : runs) {
      if (run.planned.purpose == purpose && run.planned.environment == environment &&
          run.judgement.metric) {
        values.push_back(*run.judgement.metric);
      }
    }
    return values;
  };
  return {{"metric", oracle.metric},
          {"higher_is_better", oracle.higher_is_better},
          {"threshold", oracle.threshold},
          {"alpha", oracle.alpha},
          {"effect", oracle.effect},
          {"test", oracle.test},
          {"buggy", sample(proof::Purpose::buggy)},
          {"fixed", sample(proof::Purpose::fixed)}};
}

static Result<Json> proof_of(Context& context, const catalog::Fault& fault)
{
  FL_TRY(const std::optional<proof::ProofRecord> record, proof::recall(*context.store, fault));
  // The runs of the last proof: those with as many seeds.
  const proof::Places places = proof::places_of(fault, *context.environments);
  FL_TRY(const std::vector<proof::PlannedRun> planned,
         proof::plan_proof(fault, places, std::max(1, record ? record->seeds : 1)));
  std::vector<proof::FinishedRun> finished;
  Json runs = Json::array();
  for (const proof::PlannedRun& plan : planned) {
    FL_TRY(const std::optional<run::StoredOutcome> stored,
           proof::stored_outcome(fault, plan, *context.environments, *context.store));
    if (stored) {
      proof::FinishedRun run{plan, stored->outcome, proof::judge(fault, stored->outcome), true};
      runs.push_back(run_json(run, stored->when));
      finished.push_back(std::move(run));
    }
  }
  Json checks = Json::array();
  if (finished.size() == planned.size()) {
    for (const proof::Check& check : proof::conclude(fault, places, finished).checks) {
      checks.push_back({{"name", check.name}, {"holds", check.holds}, {"detail", check.detail}});
    }
  }
  FL_TRY(const proof::CommittedProofs committed, proof::read_committed(context.root));
  return Json{{"record", record_json(record)},
              {"committed", committed_json(proof::find_committed(committed, fault))},
              {"unavailable", places.unavailable},
              {"checks", std::move(checks)},
              {"runs", std::move(runs)},
              {"statistical", statistical_json(fault, places.proved_in.front(), finished)}};
}

Reply get_proof(Context& context, const Request& request)
{
  if (const Result<void> right = Parameters(request).finish(); !right) {
    return error_reply(right.error());
  }
  const std::string& id = request.captures.front();
  const Result<std::optional<catalog::Fault>> fault = load(context, id);
  if (!fault) {
    return error_reply(500, fault.error().line());
  }
  if (!*fault) {
    return unknown_fault(context, id);
  }
  const Result<Json> proof = proof_of(context, **fault);
  return proof ? json_reply(*proof) : error_reply(500, proof.error().line());
}

static Result<std::vector<std::string>> candidates(const Context& context, const std::string& id)
{
  catalog::EntryQuery query;
  query.filters["status"] = {"active"};
  query.limit = 0;
  FL_TRY(const catalog::EntryPage page, context.entries->query(query));
  if (page.total > k_most_compared) {
    return context.entries->related(id, k_most_compared);
  }
  FL_TRY(std::vector<std::string> ids, context.entries->ids(query));
  std::erase(ids, id);
  return ids;
}

static Result<Json> similar_to(const Context& context, const catalog::Fault& fault)
{
  FL_TRY(const std::vector<std::string> others, candidates(context, fault.id));
  struct Alike {
    catalog::Fault fault;
    double similarity;
  };
  std::vector<Alike> alike;
  const std::optional<source::FixTrees> own = catalog::fix_trees_of(fault);
  for (const std::string& other : others) {
    // A fault that has become unreadable is skipped.
    Result<std::optional<catalog::Fault>> read = load(context, other);
    if (!read || !*read) {
      continue;
    }
    const std::optional<source::FixTrees> trees = catalog::fix_trees_of(**read);
    const double similarity = own && trees ? source::fix_similarity(*own, *trees) : 0;
    if (similarity > 0) {
      alike.push_back({**std::move(read), similarity});
    }
  }
  std::ranges::stable_sort(alike, std::greater(), &Alike::similarity);
  alike.resize(std::min(alike.size(), k_most_similar));
  Json items = Json::array();
  for (const Alike& item : alike) {
    items.push_back(
        {{"id", item.fault.id},
         {"title", item.fault.title},
         {"framework", item.fault.framework},
         {"similarity", item.similarity},
         {"same_group",
          item.similarity >= catalog::k_same_fix && catalog::share_type(item.fault, fault)}});
  }
  return Json{{"items", std::move(items)}};
}

Reply get_similar(Context& context, const Request& request)
{
  if (const Result<void> right = Parameters(request).finish(); !right) {
    return error_reply(right.error());
  }
  const std::string& id = request.captures.front();
  const Result<std::optional<std::filesystem::path>> folder = context.entries->folder_of(id);
  if (!folder) {
    return error_reply(500, folder.error().line());
  }
  if (!*folder) {
    return unknown_fault(context, id);
  }
  return text_reply(context.knowledge->answer(
      "similar " + id, context.entries->version(), [&]() -> Result<std::string> {
        FL_TRY(const catalog::Fault fault, catalog::load_fault(**folder, *context.schemes));
        FL_TRY(const Json json, similar_to(context, fault));
        return print_json_line(json);
      }));
}

} // namespace faultline::serve
