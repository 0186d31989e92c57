#pragma once

#include "base/result.hpp"

#include <string>
#include <vector>

namespace faultline::check {

struct Walk {
  std::vector<std::string> files; // sorted, each once, named as the arguments name them
  std::vector<Error> problems;    // arguments and folders that cannot be read
};

// The programs that `paths` mean: a file is itself, whatever its name; a folder is all `*.py` and
// `*.ipynb` in it, but for what .gitignore files (here, above and below, as far as the repository
// goes) leave out, hidden names, links to folders, virtual environments, and the folders
// node_modules, __pycache__, build, dist and site-packages.
Walk find_programs(const std::vector<std::string>& paths);

} // namespace faultline::check
