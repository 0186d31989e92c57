#pragma once

// What a campaign found out: the seam between running, statistics and reports.

#include "campaign/spec.hpp"
#include "inject/variant.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::campaign {

// What a run shows, the first that applies.
enum class Symptom {
  crash, // an uncaught exception, a failing exit status, a signal
  hang,  // the time limit passed
  out_of_memory,
  not_a_number,   // a metric is NaN or infinite
  invalid_metric, // a metric is outside its range, or was never given
  degraded,       // the first metric is worse than the clean runs
  improved,
  slower, // than the clean runs
  faster,
  normal,
};

std::string_view name_of(Symptom symptom); // "out-of-memory"
std::optional<Symptom> symptom_named(std::string_view name);
std::span<const Symptom> all_symptoms();

// How a run was started.
enum class Start {
  cold,     // a process of its own from nothing
  function, // forked where the changed function is first called, its code swapped
  defaults, // forked before the program starts, the changed default values set
  module,   // forked where the changed module is first executed
  none,     // not run at all
};

std::string_view name_of(Start start);
std::optional<Start> start_named(std::string_view name);

// How the outcome is known.
enum class Decision {
  ran,        // to its end
  same_value, // in the clean run the changed expression never had another value
  same_state, // everything was as in the clean run where it was compared, to the end if need be
};

std::string_view name_of(Decision decision);
std::optional<Decision> decision_named(std::string_view name);

// Where and how an uncaught exception was raised.
struct Crash {
  std::string exception; // "ValueError"; for a signal "SIGSEGV"; for a bare exit status "exit 3"
  std::string message;
  std::string file; // innermost frame
  size_t line = 0;
  std::string function;
  std::string statement; // the raising line
};

// One run, of the clean program or of a variant.
struct Run {
  std::string variant; // its id; empty: the clean program
  int repeat = 0;
  Symptom symptom = Symptom::normal;
  Start start = Start::cold;
  Decision decision = Decision::ran;
  std::optional<Crash> crash;
  std::map<std::string, double> metrics; // what was given, NaN included
  double seconds = 0; // wall, from the program's start to its end, whatever was shared or skipped
  double cpu_seconds = 0;   // the same in CPU time; what slower and faster are judged by
  double spent_seconds = 0; // what this run really cost the machine, in CPU time
  size_t memory_kib = 0;
  int checkpoints = 0; // epochs that were really run
};

// What the clean run executed. A *segment* is what lies between two checkpoints: 0 is everything up
// to the first, the last one what follows the last checkpoint. Files as in a Variant.
struct Coverage {
  // Phase → file → lines.
  std::map<std::string, std::map<std::string, std::set<size_t>>> phases;
  // File → line → the segments that execute it.
  std::map<std::string, std::map<size_t, std::set<int>>> segments;
  int checkpoints = 0;
};

struct VariantRecord {
  inject::Variant variant;
  std::vector<std::string> phases; // all that execute its line, in the order of the campaign file
  std::string address;             // of its runs: a digest of everything that they depend on
};

// The names of the phases as one text: "preprocessing, learning"; empty if none executes the line.
std::string phases_text(const VariantRecord& record);

// A campaign as stored: enough for every table and figure, without the logs.
struct Data {
  Spec spec;
  std::string started;                         // UTC
  std::string finished;                        // empty while it runs
  std::string machine;                         // "2 × AMD EPYC 7763, 24 GiB, Linux 6.1"
  std::map<std::string, std::string> versions; // python, torch, numpy, faultline
  std::map<std::string, std::string> settings; // workers, executor, exact or not
  std::vector<VariantRecord> variants;
  std::string clean_address; // of the clean program's runs
  std::vector<Run> clean;
  std::vector<Run> runs; // finished ones
};

// Variant → address of its runs; the clean program's under the empty name.
std::map<std::string, std::string> addresses_of(const Data& data);

} // namespace faultline::campaign
