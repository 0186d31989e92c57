#pragma once

// What all handlers share. The server owns it; a handler may be called from many threads at once.

#include "catalog/entry_index.hpp"
#include "catalog/scheme.hpp"
#include "run/environments.hpp"
#include "run/outcome_store.hpp"
#include "run/runner.hpp"
#include "serve/request.hpp"

#include <filesystem>
#include <string>

namespace faultline::serve {

class Guard;
class Knowledge;
class RunQueue;
class TextAnalysis;

struct Context {
  std::filesystem::path root;  // the project: faults/, taxonomy/
  std::filesystem::path tools; // descriptions of detectors
  std::filesystem::path home;  // Faultline's data: store.sqlite, campaigns/, serve.sqlite
  std::filesystem::path binary;
  std::string version; // of Faultline
  const run::Environments* environments = nullptr;
  const catalog::Schemes* schemes = nullptr;
  catalog::EntryIndex* entries = nullptr;
  run::OutcomeStore* store = nullptr;
  RunQueue* queue = nullptr;
  Knowledge* knowledge = nullptr;
  TextAnalysis* analysis = nullptr;
  const Guard* guard = nullptr;
  run::RunnerConfig runner;
  std::string cannot_run; // why programs cannot be run on this machine; empty if they can
};

using Handler = Reply (*)(Context& context, const Request& request);

// Whether a route may be used without the token.
enum class Access { open, token };

// One line of the table in routes.cpp. `{…}` in a pattern stands for one part of the path.
struct Route {
  std::string_view method;
  std::string_view pattern; // "/api/v1/faults/{id}"
  Access access;
  Handler handler;
};

} // namespace faultline::serve
