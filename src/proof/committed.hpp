#pragma once

#include "catalog/fault.hpp"
#include "proof/record.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace faultline::proof {

// The record of proofs that is kept with the faultload, faults/proofs.csv: what the authors of the
// faults proved, when and on what. It tells a newcomer that a fault was proved; what was proved on
// this machine is in the store.
struct CommittedProof {
  std::string digest;  // of the fault as it was then: a record of anything else says nothing
  std::string harness; // of what judged it
  std::string date;    // "2026-11-19"
  int runs = 0;
  int seeds = 0;
  std::string versions;
};

using CommittedProofs = std::map<std::string, CommittedProof>; // by id

// None if there is no such file.
Result<CommittedProofs> read_committed(const std::filesystem::path& root);

// The record of `fault` as it is now; nothing if there is none, or only of another content.
const CommittedProof* find_committed(const CommittedProofs& all, const catalog::Fault& fault);

// Whether the record is of what would be proved now: this content, judged by this harness.
bool is_on_record(const CommittedProofs& all, const catalog::Fault& fault);

// Puts the last proofs of these faults, as the store knows them, into the file; rows of faults that
// `is_known` does not know are left out. Says how many are new or changed.
Result<size_t> commit_proofs(const std::filesystem::path& root,
                             const std::vector<const catalog::Fault*>& faults,
                             const std::vector<std::string>& known_ids,
                             run::OutcomeStore& store);

} // namespace faultline::proof
