#pragma once

#include <filesystem>

namespace faultline::run {

// Where this program's own files are. They are found from the place of the executable, never from
// the folder that it was built in:
//
//   PREFIX/bin/faultline            and from a source tree   TREE/build/PRESET/faultline
//   PREFIX/libexec/faultline/       helpers                  TREE/build/PRESET/
//   PREFIX/share/faultline/         data                     TREE/
//   PREFIX/share/faultline/web/     pages                    TREE/build/web/
struct Installation {
  std::filesystem::path data; // probes/, taxonomy/, faults/, tools/, programs/
  std::filesystem::path web;
  bool is_installed = false; // not a source tree: nothing is written below `data`

  std::filesystem::path probes() const { return data / "probes"; }
};

// The one that `executable` belongs to; without data if it belongs to none.
Installation installation_of(const std::filesystem::path& executable);

// The one of this process, and the file that it runs.
const Installation& installation();
std::filesystem::path own_executable();

// A program or library of ours that goes with `executable`; empty if it is not there.
std::filesystem::path helper_of(const std::filesystem::path& executable, const char* name);

} // namespace faultline::run
