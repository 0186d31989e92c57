#pragma once

#include "base/json.hpp"
#include "base/terminal.hpp"
#include "catalog/catalog.hpp"
#include "run/compiler.hpp"
#include "run/environments.hpp"
#include "run/outcome_store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace faultline::cli {

// Exit statuses of every command.
enum ExitStatus {
  k_exit_ok = 0,
  k_exit_found = 1,   // success, but something was found: a failed test, a fault that is not proved
  k_exit_wrong = 2,   // wrong usage or bad input
  k_exit_machine = 3, // the machine could not do it
  k_exit_interrupted = 130,
};

// What the commands share: where things are. Each is opened when it is first needed.
class Session {
public:
  // Options of `faultline` itself.
  std::string root_option;
  std::string colour_option = "auto";

  // The project's folder, with faults/ and taxonomy/: --root, $FAULTLINE_ROOT, the nearest above
  // the working directory, or the one that came with this program.
  Result<std::filesystem::path> root() const;

  // The probes came with this program, whichever project it works on.
  std::filesystem::path probes() const;
  // The folder with node_modules/, and the one with descriptions of detectors: the project's, or
  // what came with this program.
  Result<std::filesystem::path> packages() const;
  Result<std::filesystem::path> tools() const;

  // The catalogue. Problems with single faults are reported on standard error, and the command will
  // exit with status 2.
  Result<const catalog::Catalog*> catalog();
  bool has_problems() const { return m_catalog && !m_catalog->problems.empty(); }

  Result<const catalog::Fault*> fault(const std::string& id);

  // Where Faultline keeps its data: $FAULTLINE_HOME, .faultline/ in the project's folder, or the
  // user's state folder where the project is the installed one.
  Result<std::filesystem::path> home() const;
  Result<run::OutcomeStore*> store();
  // The machine and the named environments; `environment` is the machine alone.
  Result<const run::Environments*> environments();
  Result<const run::Environment*> environment();
  // The folder with environments/: the project's, or what came with this program.
  Result<std::filesystem::path> described() const;

  Painter out() const; // for standard output
  Painter err() const; // for standard error
  size_t width() const;

  void print(std::string_view text) const;
  void print_json(const Json& json) const;

private:
  std::optional<catalog::Catalog> m_catalog;
  std::optional<run::Environments> m_environments;
  std::unique_ptr<run::OutcomeStore> m_store;
};

// "faultline: error: …" on standard error; returns the matching exit status.
int report_error(const Error& error, const Painter& paint);

} // namespace faultline::cli
