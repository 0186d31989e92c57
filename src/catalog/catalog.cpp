#include "catalog/catalog.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <map>

namespace faultline::catalog {

namespace fs = std::filesystem;

const Fault* Catalog::find(std::string_view id) const
{
  const auto found = std::ranges::lower_bound(
      faults, id, {}, [](const Fault& fault) { return std::string_view(fault.id); });
  return found != faults.end() && found->id == id ? &*found : nullptr;
}

std::vector<std::string> Catalog::ids() const
{
  std::vector<std::string> all;
  for (const Fault& fault : faults) {
    all.push_back(fault.id);
  }
  return all;
}

std::optional<fs::path> find_root(const fs::path& start)
{
  std::error_code code;
  fs::path folder = fs::absolute(start, code).lexically_normal();
  if (!folder.has_filename()) {
    folder = folder.parent_path(); // "a/b/" is "a/b"
  }
  while (
      !(fs::is_directory(folder / "faults", code) && fs::is_directory(folder / "taxonomy", code))) {
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
    folder = folder.parent_path();
  }
  return folder;
}

static std::vector<fs::path> sorted_folders(const fs::path& parent)
{
  std::vector<fs::path> folders;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, code)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && (entry.is_directory(code) || entry.is_symlink(code))) {
      folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

std::vector<fs::path> fault_folders(const fs::path& faults)
{
  std::vector<fs::path> all;
  for (const fs::path& framework : sorted_folders(faults)) {
    for (fs::path& folder : sorted_folders(framework)) {
      all.push_back(std::move(folder));
    }
  }
  return all;
}

// The id that follows from a fault's folder: faults/pytorch/x is pytorch-x.
static std::string expected_id(const fs::path& folder)
{
  return folder.parent_path().filename().string() + "-" + folder.filename().string();
}

Result<void> check_place(const Fault& fault)
{
  const std::string file = (fault.folder / "fault.toml").string();
  if (const std::string expected = expected_id(fault.folder); fault.id != expected) {
    return Error{ErrorKind::bad_data,
                 format("{}:1: id `{}` does not follow from its folder, expected `{}`",
                        file,
                        fault.id,
                        expected)};
  }
  if (fault.framework != fault.folder.parent_path().filename()) {
    return Error{
        ErrorKind::bad_data,
        format("{}:1: framework `{}` does not follow from its folder", file, fault.framework)};
  }
  return {};
}

// Keep the faults whose id follows from their folder. Any other fault with such an id is a
// duplicate.
static void claim_ids(Catalog& catalog, std::vector<Fault> loaded)
{
  std::map<std::string, fs::path> owners;
  for (const Fault& fault : loaded) {
    if (fault.id == expected_id(fault.folder)) {
      owners.emplace(fault.id, fault.folder / "fault.toml");
    }
  }
  for (Fault& fault : loaded) {
    const std::string file = (fault.folder / "fault.toml").string();
    const std::string expected = expected_id(fault.folder);
    const auto owner = owners.find(fault.id);
    if (fault.id != expected && owner != owners.end()) {
      catalog.problems.push_back({ErrorKind::bad_data,
                                  format("{}:1: duplicate id `{}`, already used by {}",
                                         file,
                                         fault.id,
                                         owner->second.string())});
    } else if (Result<void> right = check_place(fault); !right) {
      catalog.problems.push_back(std::move(right).error());
    } else {
      catalog.faults.push_back(std::move(fault));
    }
  }
}

// Messages name files as the project sees them, whatever folder the user is in.
static void shorten_paths(std::vector<Error>& problems, const fs::path& root)
{
  for (Error& problem : problems) {
    problem.message = replace_all(problem.message, (root / "faults/").string(), "faults/");
  }
}

Result<Catalog> load_catalog(const fs::path& root)
{
  Catalog catalog;
  catalog.root = root;
  FL_TRY(catalog.schemes, load_schemes(root / "taxonomy"));
  std::error_code code;
  if (!fs::is_directory(root / "faults", code)) {
    return Error{ErrorKind::not_found, format("{} has no folder faults/", root.string())};
  }
  std::vector<Fault> loaded;
  for (const fs::path& folder : fault_folders(root / "faults")) {
    Result<Fault> fault = load_fault(folder, catalog.schemes);
    if (!fault) {
      catalog.problems.push_back(std::move(fault).error());
      catalog.unreadable.push_back(expected_id(folder));
    } else {
      loaded.push_back(*std::move(fault));
    }
  }
  claim_ids(catalog, std::move(loaded));
  std::ranges::sort(catalog.faults, {}, &Fault::id);
  std::ranges::sort(catalog.problems, {}, &Error::message);
  shorten_paths(catalog.problems, root);
  return catalog;
}

} // namespace faultline::catalog
