#pragma once

#include <map>
#include <string>

namespace faultline::catalog {

// The data sets that a fault can name, each a folder that npm installs: name → folder below the
// project's root. (scikit-learn's bundled sets need no name.)
const std::map<std::string, std::string>& data_sets();

} // namespace faultline::catalog
