#pragma once

#include "base/digest.hpp"
#include "base/result.hpp"
#include "base/sqlite.hpp"
#include "evaluate/tool_run.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace faultline::evaluate {

// Everything that can change what a tool's run gives: the job with the content of the program, the
// machine and the tool's identity (`fingerprint`), and how its output is read. What is made of the
// findings afterwards (types, levels) is not part of it.
std::string address_of(const run::Job& job, const Tool& tool, const std::string& fingerprint);

// How the output of a tool is read, as fields of a digest.
void add_reading(Digest& digest, const Tool& tool);

// Runs of tools by the address of what was run, in the store of outcomes. An outcome's log is cut
// there, but a tool's output is not a log: what is kept of it are its findings.
class RunStore {
public:
  static Result<RunStore> open(const std::filesystem::path& path);
  RunStore(RunStore&& other) noexcept : m_database(std::move(other.m_database)) {}

  Result<std::optional<ToolRun>> find(const std::string& address);
  // One transaction. What is no verdict is not kept.
  Result<void> put(const std::string& address, const ToolRun& run, const std::string& subject = {});
  // Another text whenever what is stored may be something else.
  Result<std::string> stamp();
  // Ids of the programs that some run is about.
  Result<std::set<std::string>> subjects();

private:
  explicit RunStore(Database database) : m_database(std::move(database)) {}

  Database m_database;
  std::mutex m_mutex;
};

} // namespace faultline::evaluate
