#pragma once

#include "base/result.hpp"
#include "environment/description.hpp"
#include "run/environment.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace faultline::run {

// The machine and all named environments, those that are not built among them.
class Environments {
public:
  Environments(Environment machine, std::vector<environment::Description> descriptions);

  // Programs that belong to no environment: tools, subjects that name none.
  const Environment& machine() const { return m_machine; }

  // The environment of that name. One that nobody described says so when it is used.
  const Environment& get(const std::string& name) const;

  // What people ask for of all that can be used, to say on what something was measured: package →
  // version, or versions where environments differ.
  std::map<std::string, std::string> packages() const;

  const std::vector<environment::Description>& descriptions() const { return m_descriptions; }

private:
  Environment m_machine;
  std::vector<environment::Description> m_descriptions;
  std::map<std::string, Environment> m_named;
  Environment m_unknown;
};

// Examine the machine and what has been built. `described` is the folder with environments/.
Result<Environments> discover_environments(const std::filesystem::path& root,
                                           const std::filesystem::path& described,
                                           const std::map<std::string, std::string>& data_sets);

} // namespace faultline::run
