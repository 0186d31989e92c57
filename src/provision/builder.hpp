#pragma once

#include "base/result.hpp"
#include "environment/built.hpp"
#include "environment/description.hpp"
#include "environment/driver.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::provision {

// What building an environment takes.
struct Plan {
  environment::Description description;
  const environment::Driver* driver = nullptr;
  environment::Site site;
  std::vector<environment::Step> steps;
};

// With the description's own driver, or with another. An error says what this machine lacks.
// `only_shown` asks for no more than the commands, whether or not they could be run here.
Result<Plan> plan_build(const environment::Description& description,
                        const std::string& driver,
                        const std::filesystem::path& environments,
                        bool only_shown = false);

struct Build {
  environment::Built built;
  bool was_there = false;
  std::vector<std::string> notes; // what differs from the build before, or from lock.txt
};

// Builds it, unless it is there and `fresh` is not asked for. Only one process builds an
// environment at a time; others wait. An environment counts as built when everything has succeeded;
// what was fetched before a failure or an interruption is used by the next try. `on_progress` gets
// a line at each step and every few seconds.
Result<Build> build(const Plan& plan,
                    const std::filesystem::path& probes,
                    bool fresh,
                    const std::function<void(std::string_view)>& on_progress);

// Megabytes that an environment may grow to, at least, when its description does not say.
inline constexpr int k_usual_size_mb = 2000;

} // namespace faultline::provision
