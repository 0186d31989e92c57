#pragma once

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "run/job.hpp"
#include "run/outcome.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace faultline::run {

// Everything that can change the outcome of `job`: its files, command, limits, variables and links,
// the runner, and the environment's `fingerprint`. Whether it starts warm or cold is not part of
// it.
std::string address_of(const Job& job, const std::string& fingerprint);

struct StoredOutcome {
  RunOutcome outcome;
  std::string when; // UTC
};

// Outcomes by the address of what was run: an outcome never belongs to different code. One
// transaction each, so finished runs survive a kill. Safe to use from several threads and
// processes.
class OutcomeStore {
public:
  static Result<OutcomeStore> open(const std::filesystem::path& path);
  OutcomeStore(OutcomeStore&& other) noexcept;

  // The newest outcome at `address` for the `nth` repetition of the same job.
  Result<std::optional<StoredOutcome>> find(const std::string& address, int nth = 0);
  // Machine failures and interruptions are not kept.
  Result<void> put(const std::string& address, int nth, const RunOutcome& outcome);

  Database& database() { return m_database; }

private:
  explicit OutcomeStore(Database database) : m_database(std::move(database)) {}

  Database m_database;
  std::mutex m_mutex;
};

} // namespace faultline::run
