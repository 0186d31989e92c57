#pragma once

#include <string>
#include <vector>

namespace faultline::check {

// A file or folder of which nothing can be said, because it cannot be read or because its analysis
// failed.
struct Unreadable {
  std::string path;
  std::string reason;
  bool failed = false; // the analysis
};

struct Walk {
  std::vector<std::string> files; // sorted, each once, named as the arguments name them
  std::vector<Unreadable> unreadable;
};

// The programs that `paths` mean: a file is itself, whatever its name; a folder is all `*.py` and
// `*.ipynb` in it, but for what .gitignore files (here, above and below, as far as the repository
// goes) leave out, hidden names, links to folders, virtual environments, and the folders
// node_modules, __pycache__, build, dist and site-packages.
Walk find_programs(const std::vector<std::string>& paths);

} // namespace faultline::check
