#pragma once

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "serve/run_record.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace faultline::serve {

// The record of the runs that were started in the browser. Each change of a run's state is one
// transaction, so that a kill at any moment leaves whole runs only: one that was running then is
// `interrupted` when the record is opened again, those that waited are still waiting. Safe to use
// from several threads.
class RunLog {
public:
  // Beyond this many the oldest runs are removed.
  static constexpr size_t k_most_runs = 2000;

  static Result<RunLog> open(const std::filesystem::path& path, size_t most_runs = k_most_runs);
  RunLog(RunLog&& other) noexcept;

  // A new run, waiting.
  Result<RunRecord> add(const RunRequest& request);
  Result<void> start(const RunRecord& record);
  // A run that is over, with all that it printed.
  Result<void> finish(const RunRecord& record, std::string_view log);

  Result<std::optional<RunRecord>> find(long long id);
  // Nothing if there is no such run; empty while it is not over.
  Result<std::optional<std::string>> log(long long id);
  Result<std::vector<RunRecord>> newest(size_t most);
  Result<std::vector<RunRecord>> waiting(); // the oldest first

private:
  RunLog(Database database, size_t most_runs)
      : m_database(std::move(database)), m_most_runs(most_runs)
  {
  }
  Result<std::vector<RunRecord>> select(Statement query);

  Database m_database;
  size_t m_most_runs;
  std::mutex m_mutex;
};

} // namespace faultline::serve
