#pragma once

// Checks programs: reads each file, interprets it with what it imports, runs the rules on it.

#include "base/result.hpp"
#include "check/config.hpp"
#include "check/walk.hpp"
#include "program/record/program.hpp"
#include "source/file_set.hpp"
#include "source/finding.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::check {

// A file to check. Its text is read when its turn comes, unless it is given (standard input).
struct Subject {
  std::string path;
  const Config* config = nullptr; // never null when checked
  std::optional<std::string> text = std::nullopt;
  bool alone = false; // no other file is read, whatever it imports
};

struct Options {
  std::vector<std::string> select; // instead of what the configuration selects and ignores
  std::vector<std::string> ignore; // besides what the configuration ignores
  size_t jobs = 1;
  // Each program is analysed in a process that can die alone. Only where this process has no
  // other threads.
  bool isolated = false;
};

// The first thing of a file that was not understood.
struct Gap {
  source::Place place;
  std::string what;
};

struct Report {
  std::vector<source::Finding> findings; // by file and place, each once over all programs
  source::FileSet files;                 // that the findings speak about
  size_t analysed = 0;                   // files understood in full or in part
  std::vector<Gap> partly;               // one a file, in order
  std::vector<Unreadable> unreadable;
  double seconds = 0;
  bool interrupted = false;
};

// Called after each file, from any thread.
using OnFile = std::function<void(const std::string& path)>;

// Check all subjects on `options.jobs` threads. Never fails for a file: what cannot be read is in
// the report. A rule's name that is not known is an error.
Result<Report> check_programs(const std::vector<Subject>& subjects,
                              const Options& options,
                              const OnFile& on_file = {});

// A file as the interpreter reads it.
struct LoadedText {
  std::string text;
  std::optional<source::Notebook> notebook = std::nullopt; // `text` is then its cells
};

// An error, without the file's name, if it cannot be read as Python.
Result<LoadedText> load_program(const Subject& subject);

// Interpret one program; its imports are read from disk, unless it is alone.
std::unique_ptr<const program::Program> analyse_program(const Subject& subject,
                                                        const LoadedText& loaded);

} // namespace faultline::check
