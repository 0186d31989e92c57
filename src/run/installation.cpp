#include "run/installation.hpp"

namespace faultline::run {

namespace fs = std::filesystem;

static bool is_data(const fs::path& folder)
{
  std::error_code code;
  return fs::is_directory(folder / "probes", code) && fs::is_directory(folder / "taxonomy", code);
}

Installation installation_of(const fs::path& executable)
{
  const fs::path share = executable.parent_path().parent_path() / "share/faultline";
  if (is_data(share)) {
    return {share, share / "web", true};
  }
  for (fs::path folder = executable.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (is_data(folder)) {
      return {folder, folder / "build/web", false};
    }
  }
  return {};
}

fs::path own_executable()
{
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code);
}

const Installation& installation()
{
  static const Installation k_own = installation_of(own_executable());
  return k_own;
}

fs::path helper_of(const fs::path& executable, const char* name)
{
  const fs::path folder = executable.parent_path();
  // Test binaries lie in a folder of their own, one below the helpers.
  for (const fs::path& place :
       {folder, folder.parent_path() / "libexec/faultline", folder.parent_path()}) {
    std::error_code code;
    if (fs::exists(place / name, code)) {
      return place / name;
    }
  }
  return {};
}

} // namespace faultline::run
