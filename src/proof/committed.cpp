#include "proof/committed.hpp"

#include "base/csv_table.hpp"
#include "base/file.hpp"
#include "base/format.hpp"

#include <algorithm>
#include <charconv>

namespace faultline::proof {

namespace fs = std::filesystem;

static fs::path file_in(const fs::path& root)
{
  return root / "faults/proofs.csv";
}

static Result<int> number_at(const CsvTable& table, size_t row, const char* column)
{
  const std::string& text = table.at(row, column);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    return Error{ErrorKind::bad_data,
                 format("{}: `{}` is not a number of {}", table.place(row), text, column)};
  }
  return value;
}

Result<CommittedProofs> read_committed(const fs::path& root)
{
  CommittedProofs proofs;
  const fs::path file = file_in(root);
  std::error_code code;
  if (!fs::exists(file, code)) {
    return proofs;
  }
  FL_TRY(const CsvTable table, CsvTable::read(file));
  FL_CHECK(table.require({"id", "digest", "harness", "date", "runs", "seeds", "versions"}));
  for (size_t row = 0; row < table.size(); ++row) {
    CommittedProof& proof = proofs[table.at(row, "id")];
    proof.digest = table.at(row, "digest");
    proof.harness = table.at(row, "harness");
    proof.date = table.at(row, "date");
    FL_TRY(proof.runs, number_at(table, row, "runs"));
    FL_TRY(proof.seeds, number_at(table, row, "seeds"));
    proof.versions = table.at(row, "versions");
  }
  return proofs;
}

const CommittedProof* find_committed(const CommittedProofs& all, const catalog::Fault& fault)
{
  const auto found = all.find(fault.id);
  return found != all.end() && found->second.digest == digest_of(fault) ? &found->second : nullptr;
}

bool is_on_record(const CommittedProofs& all, const catalog::Fault& fault)
{
  const CommittedProof* proof = find_committed(all, fault);
  return proof != nullptr && proof->harness == harness_digest();
}

Result<size_t> commit_proofs(const fs::path& root,
                             const std::vector<const catalog::Fault*>& faults,
                             const std::vector<std::string>& known_ids,
                             run::OutcomeStore& store)
{
  FL_TRY(CommittedProofs proofs, read_committed(root));
  std::erase_if(proofs, [&known_ids](const auto& entry) {
    return std::ranges::find(known_ids, entry.first) == known_ids.end();
  });
  size_t changed = 0;
  for (const catalog::Fault* fault : faults) {
    FL_TRY(const std::optional<ProofRecord> record, recall(store, *fault));
    if (!record || !record->proved) {
      continue;
    }
    const CommittedProof proof{digest_of(*fault),
                               harness_digest(),
                               record->last.substr(0, 10),
                               record->runs,
                               record->seeds,
                               record->versions};
    CommittedProof& kept = proofs[fault->id];
    changed += kept.digest != proof.digest || kept.harness != proof.harness ||
                       kept.versions != proof.versions
                   ? 1
                   : 0;
    kept = proof;
  }
  // Versions are joined by commas, so they are quoted; nothing else can need it.
  std::string text = "id,digest,harness,date,runs,seeds,versions\n";
  for (const auto& [id, proof] : proofs) {
    text += format("{},{},{},{},{},{},\"{}\"\n",
                   id,
                   proof.digest,
                   proof.harness,
                   proof.date,
                   proof.runs,
                   proof.seeds,
                   proof.versions);
  }
  FL_CHECK(write_file(file_in(root), text));
  return changed;
}

} // namespace faultline::proof
