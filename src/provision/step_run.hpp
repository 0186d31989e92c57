#pragma once

#include "base/result.hpp"
#include "environment/driver.hpp"

#include <filesystem>
#include <functional>

namespace faultline::provision {

// Run one command of a build, its output to the end of `log`; `on_wait` is called about once a
// second. Fails with the last thing that the command said, and where the rest is. `mark` names the
// build in the environment of all its processes.
Result<void> run_step(const environment::Step& step,
                      const std::filesystem::path& log,
                      const std::filesystem::path& mark,
                      const std::function<void()>& on_wait);

// Kill what a build with that mark has left running, when its Faultline was killed.
void end_leftovers(const std::filesystem::path& mark);

} // namespace faultline::provision
