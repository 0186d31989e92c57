// An environment of conda or mamba: Python from there, the packages by pip from the same lock.

#include "environment/drivers/pip.hpp"

namespace faultline::environment {

static std::vector<Step>
build_with(const char* program, const Description& description, const Site& site)
{
  std::vector<Step> steps = {{"make the environment",
                              {program,
                               "create",
                               "--yes",
                               "--prefix",
                               site.folder.string(),
                               "python=" + description.python,
                               "pip"}}};
  for (Step& step : pip_steps(description, site, (site.folder / "bin/python3").string())) {
    steps.push_back(std::move(step));
  }
  return steps;
}

const Driver k_conda = {
    .name = "conda",
    .summary = "a conda environment, filled by pip",
    .program = "conda",
    .remedy = "install Miniconda or Miniforge",
    .layout = Layout::prefix,
    .build = [](const Description& description,
                const Site& site) { return build_with("conda", description, site); },
    .refuses = needs_lock,
};

const Driver k_mamba = {
    .name = "mamba",
    .summary = "the same, made by mamba",
    .program = "mamba",
    .remedy = "install Miniforge",
    .layout = Layout::prefix,
    .build = [](const Description& description,
                const Site& site) { return build_with("mamba", description, site); },
    .refuses = needs_lock,
};

} // namespace faultline::environment
