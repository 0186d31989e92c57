#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::serve {

enum class RunKind {
  test, // the test of a fault on one of its versions
  tool, // a tool on both versions of a fault
};

enum class RunState {
  waiting,
  running,
  finished,
  cancelled,   // somebody asked for it
  interrupted, // the server ended, or was killed, while it ran
  failed,      // the machine failed; nothing is known about the program
};

std::string_view name_of(RunKind kind);
std::string_view name_of(RunState state);
std::optional<RunKind> run_kind_named(std::string_view name);
std::optional<RunState> run_state_named(std::string_view name);

inline bool is_over(RunState state)
{
  return state != RunState::waiting && state != RunState::running;
}

// A requested run.
struct RunRequest {
  RunKind kind = RunKind::test;
  std::string user;
  std::string fault;
  std::string version; // of a test: buggy or fixed
  int seed = 0;
  std::string tool;
};

// The outcome of a run.
struct RunEnd {
  RunState state = RunState::failed;
  std::string verdict; // pass, fail, none, or a tool's: "right type"
  std::string why;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  size_t peak_memory_kib = 0;
  Json findings = Json::array(); // of a tool, on the buggy version
  Json alarms = Json::array();   // and on the fixed one
};

struct RunRecord {
  long long id = 0;
  RunRequest request;
  RunState state = RunState::waiting;
  std::string created; // UTC
  std::string started;
  std::string finished;
  RunEnd end; // of a run that is over
  size_t log_bytes = 0;
};

} // namespace faultline::serve
