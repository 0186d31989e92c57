#pragma once

#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "campaign/data.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// A campaign at a glance, read without its variants.
struct Overview {
  std::string name;
  std::string file; // the campaign file
  std::string started;
  std::string finished; // empty while it runs
  std::string last_run; // when the last one ended; empty if none has, or if it is not known
  size_t variants = 0;
  size_t runs = 0; // finished ones of variants
  size_t total_runs = 0;
  std::map<Symptom, size_t> symptoms; // of the runs
};

// One campaign on disk: a folder with `campaign.sqlite` in it. Plan first, then one transaction for
// each finished run, so that a kill at any moment loses at most what was running. Runs are kept by
// their address, a digest of all that they depend on, so a new plan finds those that still hold,
// and going back to an earlier program finds its runs again. Logs are kept compressed. Safe to use
// from several threads and processes.
class Store {
public:
  static Result<Store> open(const std::filesystem::path& folder);
  static bool exists(const std::filesystem::path& folder);
  Store(Store&& other) noexcept;

  const std::filesystem::path& folder() const { return m_folder; }

  // The plan: everything of `data` but the runs. If there are `notes`, they replace all old ones.
  // In place of an earlier plan either all of it is there or nothing.
  Result<void> put_plan(const Data& data, const std::map<std::string, std::string>& notes = {});
  // What is kept beside the plan: coverage, original texts, what the clean run computes.
  Result<void> put_note(const std::string& key, const std::string& text);
  Result<std::string> note(const std::string& key); // empty if there is none

  // A finished run and its log. The first result of an address and repeat stays.
  Result<void> put(const std::string& address, const Run& run, std::string_view log);
  // Runs judged anew, each with its address.
  Result<void> put_symptoms(const std::vector<std::pair<std::string, Run>>& runs);
  Result<void> put_finished(const std::string& when);

  Result<Data> load();
  Result<Overview> overview();
  // Variants and repeats that have no result yet, in the order of the plan.
  Result<std::vector<std::pair<std::string, int>>> missing();
  // A copy of it all as it is now, in another folder, for those who may only read.
  Result<void> copy_to(const std::filesystem::path& other);
  Result<std::optional<std::string>> log(const std::string& variant, int repeat);
  // What was run with this address, whatever the plan says; without its variant.
  Result<std::optional<Run>> run_at(const std::string& address, int repeat);
  Result<std::optional<std::string>> log_at(const std::string& address, int repeat);

private:
  // Of a variant of the plan; of the clean program if `variant` is empty. Call it under the lock.
  Result<std::string> address_of(const std::string& variant);

  Store(std::filesystem::path folder, Database database)
      : m_folder(std::move(folder)), m_database(std::move(database))
  {
  }

  std::filesystem::path m_folder;
  Database m_database;
  std::mutex m_mutex;
};

} // namespace faultline::campaign
