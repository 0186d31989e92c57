#pragma once

#include "base/result.hpp"
#include "run/job.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::run {

// A Python that has the framework. A machine may have several `python3`, and the first in PATH need
// not have it, so all of them are tried.
struct Python {
  std::filesystem::path path;
  std::string version;
  std::map<std::string, std::string> packages; // name → version
  std::vector<std::filesystem::path> prefixes; // folders outside /usr that it needs
  std::string installed; // digest of the names and versions of everything that it can import
};

struct Node {
  std::filesystem::path path;
  std::string version;
  std::map<std::string, std::string> packages;
  std::string installed; // digest of what npm says is in node_modules/
};

// A C++ compiler and LibTorch's headers.
struct Toolchain {
  std::filesystem::path compiler;
  std::string version;
  std::string libtorch; // version
  std::vector<std::filesystem::path> include_dirs;
};

// What programs of the faultload get: that of the machine as such, or one of the named environments
// that `environments/` describes.
struct Environment {
  std::string name;    // "keras2"; empty for the machine as such
  std::string unbuilt; // why a named one cannot be used, and what to do; empty if it can
  std::string content; // digest of the files of one that was built
  // A folder that takes the place of the machine's own system in the sandbox; empty for none.
  std::filesystem::path system;
  std::vector<Mount> mounts;
  std::map<std::string, std::string> variables;
  std::vector<std::string> modules; // that a fork server imports before the first job
  std::string seeds;                // what a test seeds, as probes/oracle knows it

  std::filesystem::path root;   // of the project: what tools name without a leading slash
  std::filesystem::path probes; // of the installation
  // The folder with node_modules/: the project's, or that of the installation.
  std::filesystem::path packages_root;
  std::optional<Python> python;
  std::vector<std::string> other_pythons; // found, but without the framework
  std::optional<Node> node;
  std::optional<Toolchain> toolchain;
  std::map<std::string, std::filesystem::path> data_sets; // name → folder

  // What is installed for programs of `framework`, one item with its version per line.
  std::string versions(const std::string& framework) const;
  // The same, and what else can change what they do.
  std::string fingerprint(const std::string& framework) const;
  // The same for detectors, which may use whatever is installed for any framework.
  std::string tools_fingerprint() const;
  // The same for the data sets of these names, whose content no version tells.
  std::string data_fingerprint(const std::vector<std::string>& names) const;
  // Package → version, as `fault.toml` names them.
  std::map<std::string, std::string> packages(const std::string& framework) const;
  // What is missing for programs of `framework`, and how to install it; nothing if nothing is
  // missing.
  std::optional<std::string> missing(const std::string& framework) const;
};

// Examine the machine. `data_sets` are the folders in the folder of packages that programs may
// read, by name.
Environment discover_environment(const std::filesystem::path& root,
                                 const std::map<std::string, std::string>& data_sets);

// What the job needs to run in `environment`: variables, mounts, system.
void place_in(const Environment& environment, Job& job);

// The folder whose node_modules/ a project uses: its own, or that of the installation.
std::filesystem::path packages_folder(const std::filesystem::path& root);

// The variables that every program gets, and the mounts: data sets, node's packages, prefixes.
std::map<std::string, std::string> program_variables(const Environment& environment);
std::vector<Mount> program_mounts(const Environment& environment);

// Where a mounted data set or Node's packages are inside the sandbox.
std::string data_mount(const std::string& name);
inline constexpr std::string_view k_modules_mount = "/modules/node_modules";

} // namespace faultline::run
