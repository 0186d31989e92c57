// A virtual environment of one of this machine's Pythons, filled by pip, or by uv where it is
// there.

#include "environment/drivers/pip.hpp"

namespace faultline::environment {

static std::vector<Step> build(const Description& description, const Site& site)
{
  std::vector<Step> steps = {{"make the virtual environment",
                              {site.python, "-m", "venv", "--clear", site.folder.string()}}};
  for (Step& step : pip_steps(description, site, (site.folder / "bin/python3").string())) {
    steps.push_back(std::move(step));
  }
  return steps;
}

const Driver k_venv = {
    .name = "venv",
    .summary = "a virtual environment, filled by pip or uv",
    .program = "",
    .remedy = "",
    .layout = Layout::prefix,
    .build = build,
    .refuses = needs_lock,
};

} // namespace faultline::environment
