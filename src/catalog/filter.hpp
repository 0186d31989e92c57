#pragma once

#include "catalog/catalog.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::catalog {

// Which faults a user asks for. Several values of one key mean any of them; several keys mean all.
struct Filter {
  std::map<std::string, std::vector<std::string>>
      labels; // scheme → values; a type matches all below
  std::vector<std::string> ids;
  std::vector<std::string> frameworks;
  std::vector<std::string> origins; // origin.kind
  std::vector<std::string> datasets;
  std::optional<std::vector<std::string>> environments; // proved in one of these
  std::vector<std::string> files; // of the location; "train.py", or "train.py:14"
  std::optional<std::string> split;
  std::optional<bool> silent;
  bool withdrawn = false; // also those that were withdrawn
  std::string search;     // words, by FTS5
};

// What to say after "unknown type `x`": ", did you mean `y`?", or "; it is one of …" if nothing is
// near and there are few. A user may have typed the last part of a path, or some of a name.
std::string hint_for(const std::string& name, std::span<const std::string> known);
// The same for any label of a scheme; of a tree that is too large to list, its tops.
std::string hint_for(const std::string& name, const Scheme& scheme);
// The same for the id of a fault.
std::string hint_for(const std::string& id, const Catalog& catalog);

// Fails, with the nearest name, if the filter names a label, framework or id that does not exist.
Result<void> check_filter(const Filter& filter, const Catalog& catalog);

// The faults that pass, in the order of their ids, or of relevance if there is a search. The index
// for free text is kept at `index` (":memory:" for none) and made anew when the catalogue changed.
Result<std::vector<const Fault*>>
select(const Catalog& catalog, const Filter& filter, const std::filesystem::path& index);

} // namespace faultline::catalog
