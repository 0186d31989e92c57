#pragma once

#include "catalog/fault.hpp"
#include "proof/proof.hpp"
#include "run/environments.hpp"
#include "run/outcome_store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace faultline::proof {

// When, how often and with which versions a fault was proved in its current state.
struct ProofRecord {
  int times = 0; // proofs that made at least one run
  std::string last;
  bool proved = false; // the last time
  int runs = 0;        // of the last proof
  int seeds = 0;
  std::string versions; // "torch1: numpy 1.24.2, torch 1.13.1, python 3.11.2; torch2: …"
  std::string reason;
};

// Everything about a fault that a proof depends on. What runs and judges it is not included: a
// record of this machine has that by itself.
std::string digest_of(const catalog::Fault& fault);

// What runs a fault and judges it: a proof by another one is none.
std::string harness_digest();

Result<void> remember(run::OutcomeStore& store,
                      const catalog::Fault& fault,
                      const Proof& proof,
                      const run::Environments& environments);

Result<std::optional<ProofRecord>> recall(run::OutcomeStore& store, const catalog::Fault& fault);

// Changes whenever a proof is recorded.
Result<std::string> records_stamp(run::OutcomeStore& store);

// The result of the last proof for each content of each fault.
struct KnownProof {
  std::string id;
  std::string digest;
  bool proved = false;

  friend bool operator==(const KnownProof&, const KnownProof&) = default;
};
Result<std::vector<KnownProof>> known_proofs(run::OutcomeStore& store);

} // namespace faultline::proof
