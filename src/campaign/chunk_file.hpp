#pragma once

// What a worker on another machine writes for its part of a campaign, in the shared folder:
// FOLDER/chunks/K.jsonl, one line for each finished run, each of them safe on disk before the next
// run starts, and {"done":true} at the end. A worker that was killed leaves a file that its
// successor goes on with.

#include "base/result.hpp"
#include "run/fd.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::campaign {

class ChunkFile {
public:
  // For writing. Waits as long as another process has it open, so that a task that Slurm started
  // again never works beside its first self. Half a line at the end, from a kill, is dropped.
  static Result<ChunkFile> open(const std::filesystem::path& folder, size_t chunk);

  // What was there already: complete lines, the final one excepted.
  const std::vector<std::string>& lines() const { return m_lines; }
  bool is_done() const { return m_done; }

  Result<void> append(std::string_view line);
  Result<void> finish();

private:
  ChunkFile(std::filesystem::path path, run::Fd file)
      : m_path(std::move(path)), m_file(std::move(file))
  {
  }

  std::filesystem::path m_path;
  run::Fd m_file;
  std::vector<std::string> m_lines;
  bool m_done = false;
};

std::filesystem::path chunk_path(const std::filesystem::path& folder, size_t chunk);

// For reading while or after a worker writes it.
struct ChunkContent {
  std::vector<std::string> lines; // complete ones, the final one excepted
  bool done = false;
};

// Nothing but an empty content where there is no such file yet.
Result<ChunkContent> read_chunk(const std::filesystem::path& folder, size_t chunk);

} // namespace faultline::campaign
