#pragma once

#include "catalog/fault.hpp"
#include "proof/proof.hpp"
#include "run/environment.hpp"
#include "run/outcome_store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::proof {

// When a fault was proved as it is now, how often and on what.
struct ProofRecord {
  int times = 0; // proofs that made at least one run
  std::string last;
  bool proved = false; // the last time
  int runs = 0;        // of the last proof
  int seeds = 0;
  std::string versions; // "numpy 1.24.2, torch 1.13.1, python 3.11.2"
  std::string reason;
};

// Everything of a fault that a proof depends on. What runs and judges it is not part of this: a
// record of this machine knows that by itself.
std::string digest_of(const catalog::Fault& fault);

Result<void> remember(run::OutcomeStore& store,
                      const catalog::Fault& fault,
                      const Proof& proof,
                      const run::Environment& environment);

Result<std::optional<ProofRecord>> recall(run::OutcomeStore& store, const catalog::Fault& fault);

// Another text whenever a proof was remembered.
Result<std::string> records_stamp(run::OutcomeStore& store);

// What the last proof of each content of each fault said.
struct KnownProof {
  std::string id;
  std::string digest;
  bool proved = false;

  friend bool operator==(const KnownProof&, const KnownProof&) = default;
};
Result<std::vector<KnownProof>> known_proofs(run::OutcomeStore& store);

} // namespace faultline::proof
