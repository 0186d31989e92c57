#include "base/format.hpp"
#include "base/text.hpp"
#include "catalog/fault_json.hpp"
#include "catalog/similarity.hpp"
#include "cli/command.hpp"
#include "proof/committed.hpp"

namespace faultline::cli {

namespace {

struct Options {
  std::string id;
  bool json = false;
};

constexpr size_t k_label_column = 14;

// Prints "name      value", the value wrapped under itself.
class Page {
public:
  Page(const Session& session)
      : m_paint(session.out()), m_width(session.width() == 0 ? 100 : session.width())
  {
  }

  void heading(std::string_view text) { m_text += "\n" + m_paint(Colour::bold, text) + "\n"; }
  void title(std::string_view text) { m_text += m_paint(Colour::bold, text) + "\n"; }
  void paragraph(std::string_view text) { m_text += wrap(text, m_width, 0) + "\n"; }
  void field(std::string_view name, std::string_view value)
  {
    if (value.empty()) {
      return;
    }
    std::string label(name);
    label.resize(k_label_column, ' ');
    const size_t column = k_label_column + 2;
    m_text += "  " + m_paint(Colour::dim, label) + wrap(value, m_width, column, column) + "\n";
  }
  const std::string& text() const { return m_text; }

private:
  Painter m_paint;
  size_t m_width;
  std::string m_text;
};

std::string print_location(const catalog::Location& location)
{
  std::vector<std::string> lines;
  for (const int line : location.lines) {
    lines.push_back(format("{}", line));
  }
  return location.file + ":" + join(lines, ",");
}

void print_part(Page& page, const catalog::Fault& fault, const catalog::Part& part)
{
  if (fault.parts.size() > 1) {
    page.heading(format("Part `{}`: {}", part.name, part.title));
  }
  page.field("location", print_location(part.location));
  for (const std::string_view scheme : catalog::k_scheme_names) {
    const bool published = part.labels.published.contains(std::string(scheme));
    page.field(scheme, part.labels.get(scheme) + (published ? " (as published)" : ""));
  }
}

void print_oracle(Page& page, const catalog::Fault& fault)
{
  page.heading("Oracle");
  page.field("test", join(fault.run.test, " "));
  page.field("limits", format("{} s, {} MiB", fault.run.timeout_seconds, fault.run.memory_mib));
  if (const auto& oracle = fault.oracle.statistical) {
    page.field("metric",
               format("{}, {} is better, threshold {}",
                      oracle->metric,
                      oracle->higher_is_better ? "higher" : "lower",
                      oracle->threshold));
    page.field("statistics",
               format("{} seeds, {} at {}, {} of at least {}",
                      oracle->seeds,
                      oracle->test,
                      oracle->alpha,
                      oracle->test == "welch" ? "Cohen's d" : "A12",
                      oracle->effect));
  }
  page.field("evidence", fault.oracle.evidence);
}

void print_proof(Page& page,
                 const std::optional<proof::ProofRecord>& record,
                 const proof::CommittedProof* committed)
{
  page.heading("Proof");
  if (committed != nullptr) {
    page.field("on record", format("{}, {}", committed->date, committed->versions));
  }
  if (!record) {
    page.field(committed == nullptr ? "last proved" : "here",
               format("{}; run `faultline verify`",
                      committed == nullptr ? "not in its current state" : "not proved yet"));
    return;
  }
  page.field(record->proved ? "last proved" : "last tried",
             record->last + (record->proved ? "" : ", not proved: " + record->reason));
  page.field("how often", count_of(static_cast<size_t>(record->times), "time"));
  page.field("runs",
             format("{}, {}", record->runs, count_of(static_cast<size_t>(record->seeds), "seed")));
  page.field("on", record->versions);
}

Result<int> run(Session& session, const Options& options)
{
  FL_TRY(const catalog::Fault* fault, session.fault(options.id));
  FL_TRY(const catalog::Catalog* all, session.catalog());
  FL_TRY(run::OutcomeStore * store, session.store());
  FL_TRY(const std::optional<proof::ProofRecord> record, proof::recall(*store, *fault));
  FL_TRY(const proof::CommittedProofs all_committed, proof::read_committed(all->root));
  const proof::CommittedProof* committed = proof::find_committed(all_committed, *fault);
  const catalog::Similarity similarity(*all);
  if (options.json) {
    Json json = catalog::full_json(*fault, similarity.support(*fault));
    FL_TRY(const source::Patch fix, catalog::fix_of(*fault));
    json["diff"] = source::print_patch(fix);
    if (committed != nullptr) {
      json["proof_on_record"] = {{"date", committed->date},
                                 {"runs", committed->runs},
                                 {"seeds", committed->seeds},
                                 {"versions", committed->versions}};
    }
    if (record) {
      json["proof"] = {{"proved", record->proved},
                       {"last", record->last},
                       {"times", record->times},
                       {"runs", record->runs},
                       {"seeds", record->seeds},
                       {"versions", record->versions},
                       {"reason", record->reason}};
    }
    session.print_json(json);
    return k_exit_ok;
  }

  Page page(session);
  page.title(format("{}: {}", fault->id, fault->title));
  if (fault->withdrawn) {
    page.paragraph(format("Withdrawn in {} on {}: {}",
                          fault->withdrawn->version,
                          fault->withdrawn->date,
                          fault->withdrawn->reason));
  }
  page.paragraph("");
  page.paragraph(fault->summary);
  page.paragraph("");
  page.paragraph(fault->general);
  page.heading("Fault");
  page.field("framework", fault->framework);
  page.field("origin", fault->origin.url);
  if (!fault->origin.dataset.empty()) {
    page.field("data set", fault->origin.dataset + " " + fault->origin.record);
  }
  page.field("split", fault->split);
  page.field("silent", fault->silent ? "yes: nothing crashes, nothing unusual is printed" : "no");
  page.field("support",
             format("{} with the same root cause and a similar fix", similarity.support(*fault)));
  page.field(
      "realism",
      format(
          "{} API, {} data, {} fix", fault->realism.api, fault->realism.data, fault->realism.fix));
  page.field("", fault->realism.note);
  for (const catalog::Part& part : fault->parts) {
    print_part(page, *fault, part);
  }
  if (!fault->accepted.empty()) {
    page.heading("Also accepted");
  }
  for (const catalog::Accepted& accepted : fault->accepted) {
    if (accepted.patch || accepted.location) {
      page.field(accepted.patch ? "fix" : "place",
                 (accepted.patch ? accepted.patch_file : print_location(*accepted.location)) +
                     ": " + accepted.why);
    }
    if (!accepted.type.empty()) {
      page.field("type", accepted.type + ": " + accepted.why);
    }
  }
  print_oracle(page, *fault);
  page.field("environments", join(fault->environments, ", "));
  if (!fault->absent_in.empty()) {
    page.field("not in", join(fault->absent_in, ", "));
  }
  page.field("data", join(fault->data, ", "));
  print_proof(page, record, committed);
  session.print(page.text());
  session.print(format("\n{}\n",
                       session.out()(Colour::dim,
                                     format("faultline diff {0}   faultline test {0}   faultline "
                                            "checkout {0} FOLDER",
                                            fault->id))));
  return k_exit_ok;
}

} // namespace

Action declare_show(Arguments& arguments, Session& session)
{
  auto options = std::make_shared<Options>();
  arguments.option("id", options->id, "the fault").required().named("ID");
  arguments.flag("--json", options->json, "print JSON");
  return [options, &session] { return run(session, *options); };
}

} // namespace faultline::cli
