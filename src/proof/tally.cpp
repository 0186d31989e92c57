#include "proof/tally.hpp"

namespace faultline::proof {

Tally tally(const std::vector<Proof>& proofs)
{
  Tally count;
  count.total = proofs.size();
  for (const Proof& proof : proofs) {
    switch (proof.state()) {
    case State::proved:
      ++count.proved;
      break;
    case State::failed:
      ++count.failed;
      break;
    case State::flaky:
      ++count.flaky;
      break;
    case State::not_run:
      ++count.not_run;
      break;
    }
    count.runs += proof.runs;
    count.fresh_runs += proof.fresh_runs;
  }
  return count;
}

} // namespace faultline::proof
