#include "environment/driver.hpp"

#include <algorithm>
#include <array>

namespace faultline::environment {

std::span<const Driver> drivers()
{
  static const std::array<Driver, 7> k_drivers = {
      k_system, k_venv, k_debian, k_conda, k_mamba, k_docker, k_podman};
  return k_drivers;
}

const Driver* find_driver(std::string_view name)
{
  const auto found = std::ranges::find(drivers(), name, &Driver::name);
  return found == drivers().end() ? nullptr : &*found;
}

std::vector<std::string> driver_names()
{
  std::vector<std::string> names;
  for (const Driver& driver : drivers()) {
    names.emplace_back(driver.name);
  }
  return names;
}

} // namespace faultline::environment
