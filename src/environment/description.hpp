#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::environment {

// What programs run in, by name: the folder environments/NAME/ with its environment.toml and, where
// Faultline builds it, lock.txt.
struct Description {
  std::string name;
  std::string title;
  std::string purpose;
  std::string driver;
  bool is_default = false;             // `./run` builds it
  std::vector<std::string> frameworks; // whose faults may name it; none for an environment of tools
  std::map<std::string, std::string> packages;  // name → version, of those that people ask for
  std::string python;                           // "3.11"; empty where the driver does not choose it
  std::vector<std::string> requirements;        // what lock.txt is made from, for pip
  std::string release;                          // of Debian
  std::vector<std::string> system_packages;     // of Debian
  int download_mb = 0;                          // about as much is fetched
  int size_mb = 0;                              // about as much is on disk in the end
  std::vector<std::string> modules;             // that a fork server imports before the first job
  std::map<std::string, std::string> variables; // that every program gets
  std::string seeds;                            // what a test seeds beside Python and NumPy

  std::string lock; // the text of lock.txt; empty if there is none
  std::filesystem::path folder;

  bool is_for(std::string_view framework) const;
};

inline constexpr std::string_view k_lock_file = "lock.txt";

// The environments that `root`/environments describes, by name.
Result<std::vector<Description>> load_descriptions(const std::filesystem::path& root);

const Description* find(const std::vector<Description>& all, std::string_view name);

// The names of those whose framework has a version that is `version` or begins with it ("2",
// "2.15"); of those whose Python has.
std::vector<std::string> with_framework_version(const std::vector<Description>& all,
                                                std::string_view version);
std::vector<std::string> with_python(const std::vector<Description>& all, std::string_view version);

// The one in which faults of a framework are proved that name none.
std::string_view usual_environment(std::string_view framework);

// Of what decides the content of a built environment. It is the name of its folder.
std::string digest_of(const Description& description);

} // namespace faultline::environment
