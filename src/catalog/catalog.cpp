#include "catalog/catalog.hpp"

#include "base/format.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <map>

namespace faultline::catalog {

namespace fs = std::filesystem;

const Fault* Catalog::find(std::string_view id) const
{
  const auto found = std::ranges::lower_bound(faults, id, {}, [](const Fault& fault) {
    return std::string_view(fault.id);
  });
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
  for (fs::path folder = fs::absolute(start, code); !code; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "faults", code) && fs::is_directory(folder / "taxonomy", code)) {
      return folder;
    }
    if (folder == folder.parent_path()) {
      break;
    }
  }
  return std::nullopt;
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

// Add `fault` unless its id is taken or does not follow from its folder.
static void add(Catalog& catalog, Fault fault, std::map<std::string, fs::path>& owners)
{
  const std::string file = (fault.folder / "fault.toml").string();
  const std::string expected =
      fault.framework + "-" + fault.folder.filename().string();
  if (const auto [owner, is_new] = owners.emplace(fault.id, fault.folder); !is_new) {
    catalog.problems.push_back({ErrorKind::bad_data,
                                format("{}:1: duplicate id `{}`, already used by {}",
                                       file,
                                       fault.id,
                                       (owner->second / "fault.toml").string())});
  } else if (fault.id != expected) {
    catalog.problems.push_back(
        {ErrorKind::bad_data,
         format("{}:1: id `{}` does not follow from its folder, expected `{}`", file, fault.id, expected)});
  } else {
    catalog.faults.push_back(std::move(fault));
  }
}

// Messages name files as the project sees them, whatever folder the user is in.
static void shorten_paths(std::vector<Error>& problems, const fs::path& root)
{
  for (Error& problem : problems) {
    problem.message = replace_all(problem.message, root.string() + "/", "");
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
  std::map<std::string, fs::path> owners;
  for (const fs::path& framework : sorted_folders(root / "faults")) {
    for (const fs::path& folder : sorted_folders(framework)) {
      Result<Fault> fault = load_fault(folder, catalog.schemes);
      if (!fault) {
        catalog.problems.push_back(std::move(fault).error());
      } else {
        add(catalog, *std::move(fault), owners);
      }
    }
  }
  std::ranges::sort(catalog.faults, {}, &Fault::id);
  shorten_paths(catalog.problems, root);
  return catalog;
}

} // namespace faultline::catalog
