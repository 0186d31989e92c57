#pragma once

#include "catalog/fault.hpp"
#include "catalog/scheme.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::catalog {

// All faults below `faults/`, in the order of their ids, and what is wrong with those that could
// not be read: one broken fault does not hide the others.
struct Catalog {
  std::filesystem::path root; // of the project
  Schemes schemes;
  std::vector<Fault> faults; // withdrawn ones included
  std::vector<Error> problems;
  std::vector<std::string> unreadable; // ids of the folders that they are about

  const Fault* find(std::string_view id) const;
  std::vector<std::string> ids() const;
};

// The nearest folder at or above `start` that has `faults/` and `taxonomy/`.
std::optional<std::filesystem::path> find_root(const std::filesystem::path& start);

// The folders of faults below `faults`, in the order of framework and name.
std::vector<std::filesystem::path> fault_folders(const std::filesystem::path& faults);

// What is wrong with a fault's place: id and framework must follow from the folder.
Result<void> check_place(const Fault& fault);

// Fails only if there is nothing to read at all.
Result<Catalog> load_catalog(const std::filesystem::path& root);

} // namespace faultline::catalog
