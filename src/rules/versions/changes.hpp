#pragma once

// What became of names and arguments over the versions of the libraries: one table, several rules.

#include "program/projects/pins.hpp"
#include "rules/rule.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace faultline::rules {

// A name as programs import it; `prefix` means all that lies below it, too. Empty versions: never.
struct NameChange {
  std::string_view library; // whose version counts
  std::string_view old;
  std::string_view now; // what to write instead
  std::string_view deprecated;
  std::string_view gone;
  bool prefix = false;
};
std::span<const NameChange> name_changes();

// An argument of calls whose canonical name starts with `callee`.
struct ArgumentChange {
  std::string_view library;
  std::string_view callee;
  std::string_view old;
  std::string_view now;
  std::string_view deprecated;
  std::string_view gone;
};
std::span<const ArgumentChange> argument_changes();

// The lowest version that the program can be written for: what its requirements pin, or the version
// in which the newest of the names it uses appeared. Nothing if neither says.
std::optional<program::Version> known_version(const Program& program, std::string_view library);

// How bad a change is for that version: an error once the old spelling is gone, a warning once it
// is deprecated, info where the version is not known, nothing while it is fine.
std::optional<Severity> severity_of(std::optional<program::Version> version,
                                    std::string_view deprecated,
                                    std::string_view gone);

} // namespace faultline::rules
